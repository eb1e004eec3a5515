import type { LlmMessage } from '../../models/ports.ts';
import { asInformation, type ServiceMark } from '../phrases/service-mark.ts';
import { spokenLine } from '../meeting/said.ts';
import type { ConversationHistory, HistoryEntry } from './conversation-history.ts';

/** The LLM sees the last 20 messages (contract); system prompt, context and tool definitions do not count. */
export const WINDOW_MESSAGES = 20;
/** Newest context items that are shown (contract). */
export const WINDOW_CONTEXTS = 20;
/**
 * What people of a meeting say to each other between two answers of the persona is one message: it would soon fill the
 * window. So many characters of it are shown, the newest: about twelve minutes of talk.
 */
export const WINDOW_TALK_CHARS = 12_000;
/** Ends the text of a persona message that was cut; the system prompt says what it means. */
export const INTERRUPTED_MARK = '[interrupted]';

export interface LlmView {
  readonly systemPrompt: string;
  readonly history: ConversationHistory;
  /** A request of the service itself (greeting, silence prompt): the last message, never stored. */
  readonly instruction?: string;
  /** Of this session. */
  readonly mark: ServiceMark;
}

/** Messages that stay or go together: a call without its result is an error to most models. */
interface Group {
  readonly messages: readonly LlmMessage[];
  readonly counted: number;
}

export function llmMessages(view: LlmView): LlmMessage[] {
  const groups = grouped(visible(view.history), view.mark);
  const kept: Group[] = [];
  let contexts = 0;
  let full = false;
  const question = groups.findLast(isFromUser);
  let place = question === undefined ? WINDOW_MESSAGES : WINDOW_MESSAGES - question.counted;
  for (const group of groups.toReversed()) {
    if (group === question) {
      // What the user said last is what is answered, however many calls have been made for it.
      kept.unshift(group);
    } else if (group.counted === 0) {
      contexts += 1;
      if (contexts <= WINDOW_CONTEXTS) kept.unshift(group);
    } else if (!full && group.counted <= place) {
      place -= group.counted;
      kept.unshift(group);
    } else {
      // Nothing older may be shown: a hole in the middle would be a conversation that never took place.
      full = true;
    }
  }
  return [
    ...(view.systemPrompt.trim() === '' ? [] : [{ role: 'system', content: view.systemPrompt } as const]),
    ...kept.flatMap((group) => group.messages),
    ...(view.instruction === undefined ? [] : [{ role: 'user', content: view.instruction } as const]),
  ];
}

function isFromUser(group: Group): boolean {
  return group.messages[0]?.role === 'user';
}

/** Context that came after the last user turn began waits for the next one. */
function visible(history: ConversationHistory): ConversationHistory {
  const lastUser = history.findLastIndex((entry) => entry.kind === 'user');
  return history.filter((entry, at) => entry.kind !== 'context' || at < lastUser);
}

function grouped(history: ConversationHistory, mark: ServiceMark): Group[] {
  const groups: Group[] = [];
  for (let at = 0; at < history.length; at += 1) {
    const entry = history[at];
    const next = history[at + 1];
    if (entry === undefined) continue;
    if (entry.kind === 'persona' && next?.kind === 'tools') {
      groups.push(toolGroup(next, personaText(entry)));
      at += 1;
    } else if (entry.kind === 'user' && entry.speaker !== null) {
      const talk = talkFrom(history, at);
      groups.push(talkGroup(talk));
      at += talk.length - 1;
    } else {
      groups.push(group(entry, mark));
    }
  }
  return groups;
}

function group(entry: HistoryEntry, mark: ServiceMark): Group {
  switch (entry.kind) {
    case 'user':
      return { messages: [{ role: 'user', content: spokenLine(entry) }], counted: 1 };
    case 'persona':
      return { messages: [{ role: 'assistant', content: personaText(entry) }], counted: 1 };
    case 'context':
      return entry.from === 'visitor'
        ? { messages: [{ role: 'user', content: entry.text }], counted: 0 }
        : { messages: [{ role: 'system', content: asInformation(mark, entry.text) }], counted: 0 };
    case 'tools':
      return toolGroup(entry, '');
  }
}

type UserEntry = Extract<HistoryEntry, { kind: 'user' }>;

/** What people of a meeting said, one after the other, without a word of the persona between. */
function talkFrom(history: ConversationHistory, first: number): readonly UserEntry[] {
  const end = history.findIndex((entry, at) => at > first && (entry.kind !== 'user' || entry.speaker === null));
  return history.slice(first, end === -1 ? undefined : end) as readonly UserEntry[];
}

function talkGroup(talk: readonly UserEntry[]): Group {
  const lines: string[] = [];
  let chars = 0;
  for (const line of talk.toReversed().map(spokenLine)) {
    chars += line.length;
    // The last words are what is answered, however long they are.
    if (chars > WINDOW_TALK_CHARS && lines.length > 0) break;
    lines.unshift(line);
  }
  return { messages: [{ role: 'user', content: lines.join('\n') }], counted: 1 };
}

function personaText(entry: Extract<HistoryEntry, { kind: 'persona' }>): string {
  return entry.interrupted ? `${entry.spoken} ${INTERRUPTED_MARK}`.trimStart() : entry.spoken;
}

function toolGroup(entry: Extract<HistoryEntry, { kind: 'tools' }>, content: string): Group {
  const messages: LlmMessage[] = [
    {
      role: 'assistant',
      content,
      toolCalls: entry.calls.map(({ output: _output, ...call }) => call),
    },
    ...entry.calls.map(
      (call) =>
        ({
          role: 'tool',
          toolCallId: call.id,
          content: call.output ?? 'No result yet: the call is still running.',
        }) as const,
    ),
  ];
  return { messages, counted: messages.length };
}
