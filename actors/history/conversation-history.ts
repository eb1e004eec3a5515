import type { LlmToolCall } from '../../models/ports.ts';

/**
 * What was said and done in a conversation, in order, for the LLM's next view of it. Plain data, never changed in
 * place. Reasoning, hidden instructions and passthrough audio never enter it.
 */

export type HistoryEntry =
  | ({ readonly kind: 'user'; readonly id: string; readonly language: string | null } & SpokenWords)
  | {
      readonly kind: 'persona';
      readonly id: string;
      /** The words that were heard. */
      readonly spoken: string;
      /** The rest that was not, empty when all was heard. */
      readonly unspoken: string;
      readonly interrupted: boolean;
    }
  /** One step of the LLM: calls made together. */
  | { readonly kind: 'tools'; readonly calls: readonly HistoryToolCall[] }
  /** A visitor, unlike the application, tells nothing that the LLM may take for more than words of the user. */
  | { readonly kind: 'context'; readonly text: string; readonly from: ContextSource };

export type ContextSource = 'application' | 'visitor';

export interface SpokenWords {
  readonly text: string;
  /** Who of a meeting said it; null in a conversation with one user. */
  readonly speaker: string | null;
}

/** As the model made it, with the id and the fields that its provider wants back. */
export interface HistoryToolCall extends LlmToolCall {
  /** What the model is told came of it; null while it runs. */
  readonly output: string | null;
}

export type ConversationHistory = readonly HistoryEntry[];

export const EMPTY_HISTORY: ConversationHistory = [];

/** Far above the window of 20 messages and 20 context items; older entries can never be shown again. */
const KEPT_ENTRIES = 200;
/** Bytes of one context item at most (contract). */
export const CONTEXT_MAX_BYTES = 32 * 1024;

function append(history: ConversationHistory, entry: HistoryEntry): ConversationHistory {
  return [...history, entry].slice(-KEPT_ENTRIES);
}

export function addUser(
  history: ConversationHistory,
  entry: {
    readonly id: string;
    readonly text: string;
    readonly language?: string | null;
    readonly speaker?: string | null;
  },
): ConversationHistory {
  const { id, text, language = null, speaker = null } = entry;
  return append(history, { kind: 'user', id, text, language, speaker });
}

/** The user's words were other ones than those that were stored. */
export function correctUser(
  history: ConversationHistory,
  { id, text, language }: { readonly id: string; readonly text: string; readonly language: string | null },
): ConversationHistory {
  return history.map((entry) =>
    entry.kind === 'user' && entry.id === id ? { ...entry, text, language: language ?? entry.language } : entry,
  );
}

/** A message of which nothing was heard and nothing remains leaves no trace. */
export function addPersona(
  history: ConversationHistory,
  entry: { readonly id: string; readonly spoken: string; readonly unspoken?: string; readonly interrupted?: boolean },
): ConversationHistory {
  const spoken = entry.spoken.trim();
  const unspoken = (entry.unspoken ?? '').trim();
  if (spoken === '' && unspoken === '') return history;
  return append(history, { kind: 'persona', id: entry.id, spoken, unspoken, interrupted: entry.interrupted ?? false });
}

export function addToolCalls(
  history: ConversationHistory,
  calls: readonly Omit<HistoryToolCall, 'output'>[],
): ConversationHistory {
  if (calls.length === 0) return history;
  return append(history, { kind: 'tools', calls: calls.map((call) => ({ ...call, output: null })) });
}

/** The first output of a call stands; a second one is ignored. */
export function setToolOutput(history: ConversationHistory, callId: string, output: string): ConversationHistory {
  return history.map((entry) =>
    entry.kind === 'tools' && entry.calls.some((call) => call.id === callId && call.output === null)
      ? {
          ...entry,
          calls: entry.calls.map((call) => (call.id === callId && call.output === null ? { ...call, output } : call)),
        }
      : entry,
  );
}

/** What the model was told of a call proved wrong. */
export function replaceToolOutput(history: ConversationHistory, callId: string, output: string): ConversationHistory {
  return history.map((entry) =>
    entry.kind === 'tools' && entry.calls.some((call) => call.id === callId)
      ? { ...entry, calls: entry.calls.map((call) => (call.id === callId ? { ...call, output } : call)) }
      : entry,
  );
}

/** @returns the history unchanged when the text is empty or larger than `CONTEXT_MAX_BYTES`. */
export function addContext(
  history: ConversationHistory,
  text: string,
  from: ContextSource = 'application',
): ConversationHistory {
  if (text.trim() === '' || Buffer.byteLength(text) > CONTEXT_MAX_BYTES) return history;
  return append(history, { kind: 'context', text, from });
}

/** The language that the user last spoke in, as far as it was recognized. */
export function lastUserLanguage(history: ConversationHistory): string | null {
  for (const entry of history.toReversed()) if (entry.kind === 'user' && entry.language !== null) return entry.language;
  return null;
}

/** Whether the last thing the persona said was a question. */
export function personaJustAsked(history: ConversationHistory): boolean {
  const last = history.findLast((entry) => entry.kind === 'persona' || entry.kind === 'user');
  return last?.kind === 'persona' && endsWithQuestion(last.spoken);
}

/** Question marks of all scripts, perhaps inside quotes. */
export function endsWithQuestion(text: string): boolean {
  return /[?？؟;⸮]["'”’»)\]]*\s*$/u.test(text);
}
