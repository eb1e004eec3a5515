import type {
  SessionEnd,
  SessionReportEntry,
  ToolCallRecord,
  TranscriptMessage,
  TurnRecord,
} from '../../actors/report.ts';

/** What a test looks at when a conversation is over. */
export interface HeldConversation {
  readonly messages: readonly TranscriptMessage[];
  readonly turns: readonly TurnRecord[];
  readonly toolCalls: readonly ToolCallRecord[];
  readonly end: SessionEnd | null;
  /** On the clock of the conversation. */
  readonly durationMs: number;
}

/** Collects what a session reports. */
export class ConversationRecord {
  readonly messages: TranscriptMessage[] = [];
  readonly #turns: TurnRecord[] = [];
  readonly #toolCalls = new Map<string, ToolCallRecord>();
  #end: SessionEnd | null = null;

  note(entry: SessionReportEntry): void {
    if (entry.kind === 'message') this.#keepMessage(entry.message);
    else if (entry.kind === 'turn') this.#turns.push(entry.turn);
    else if (entry.kind === 'toolCall') this.#toolCalls.set(entry.call.callId, entry.call);
    else if (entry.kind === 'end') this.#end = entry.end;
  }

  over(durationMs: number): HeldConversation {
    const toolCalls = [...this.#toolCalls.values()];
    return { messages: this.messages, turns: this.#turns, toolCalls, end: this.#end, durationMs };
  }

  /** A message is reported again as more of it is heard. */
  #keepMessage(message: TranscriptMessage): void {
    const known = this.messages.findIndex(
      ({ messageId, role }) => messageId === message.messageId && role === message.role,
    );
    if (known < 0) this.messages.push(message);
    else this.messages[known] = message;
  }
}
