import type { ServerMessage, ToolCall } from '../../../clients/js/src/index.ts';
import type { TurnRecord } from './turn-record.ts';

export type EventKind = 'user' | 'persona' | 'floor' | 'tool' | 'network' | 'service';

export interface TimelineEvent {
  /** Ms since the session began. */
  readonly at: number;
  readonly kind: EventKind;
  readonly label: string;
}

/** The families of the service's event log, by whom they are about. */
const FAMILIES: Readonly<Record<string, EventKind>> = {
  vad: 'user',
  stt: 'user',
  endOfTurn: 'user',
  enhancement: 'user',
  client: 'user',
  speech: 'persona',
  passthrough: 'persona',
  llm: 'persona',
  tool: 'tool',
  floor: 'floor',
  socket: 'network',
  offer: 'network',
  peer: 'network',
  channel: 'network',
  media: 'network',
  pipeline: 'service',
};

/** The service's event log, merged with what its turns say about the floor, in the order of time. */
export function timelineOf(
  turns: readonly TurnRecord[],
  log: readonly { at: number; kind: string; label: string }[],
): readonly TimelineEvent[] {
  const logged = log.map(({ at, kind, label }): TimelineEvent => ({
    at,
    kind: FAMILIES[kind] ?? 'service',
    label: `${label[0]?.toUpperCase() ?? ''}${label.slice(1)}`,
  }));
  return [...logged, ...turns.flatMap(floorEvents)].toSorted((a, b) => a.at - b.at);
}

function floorEvents(turn: TurnRecord): TimelineEvent[] {
  const events: TimelineEvent[] = [];
  const { userSpeechEndedAt, endOfTurnAt, speakingStartedAt, speakingEndedAt, finishReason } = turn;
  if (endOfTurnAt !== null && userSpeechEndedAt !== null)
    events.push({
      at: endOfTurnAt,
      kind: 'floor',
      label: `Your turn was over, ${Math.round(endOfTurnAt - userSpeechEndedAt)} ms after your last sound`,
    });
  if (speakingStartedAt !== null)
    events.push({ at: speakingStartedAt, kind: 'floor', label: 'The persona took the floor' });
  if (speakingEndedAt !== null)
    events.push({
      at: speakingEndedAt,
      kind: 'floor',
      label:
        finishReason === 'interrupted'
          ? 'The persona gave the floor up, interrupted'
          : 'The persona gave the floor back',
    });
  return events;
}

/** The text of a data-channel message in the timeline. Null: no line is needed, as for the middle of a sentence. */
export function describe(message: ServerMessage): Omit<TimelineEvent, 'at'> | null {
  switch (message.kind) {
    case 'user-speech':
      return { kind: 'user', label: message.phase === 'started' ? 'You began to speak' : 'You fell silent' };
    case 'speech':
      if (message.event.role === 'user') return { kind: 'user', label: 'Your words were understood' };
      if (message.event.interrupted) return { kind: 'persona', label: 'Interrupted' };
      return message.event.endOfSpeech ? { kind: 'persona', label: 'Finished speaking' } : null;
    case 'reasoning':
      return message.event.endOfThought ? { kind: 'persona', label: 'Finished thinking' } : null;
    case 'tool-call':
      return { kind: 'tool', label: toolLabel(message.phase, message.call) };
    case 'config-update': {
      const changed = Object.keys(message.update.changedFields);
      return { kind: 'service', label: `Settings changed: ${changed.join(', ') || 'nothing'}` };
    }
    case 'cue':
      return { kind: 'persona', label: `Cue: ${message.cue.cueTag}` };
  }
}

function toolLabel(phase: 'started' | 'completed' | 'failed', call: ToolCall): string {
  if (phase === 'started') return `${call.toolName} called`;
  if (phase === 'failed') return `${call.toolName} failed: ${call.errorMessage ?? ''}`;
  const documents = call.documentsAccessed ?? [];
  return documents.length === 0 ? `${call.toolName} finished` : `${call.toolName} read ${documents.join(', ')}`;
}
