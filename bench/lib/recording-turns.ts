import { chunks, userTurns, type Chunk } from '../../e2e/support/chunks.ts';
import type { HeardEvent } from '../../e2e/support/sdk-session.ts';

/** The user turns that a played recording became, by their ids, because an older turn may be answered meanwhile. */
export interface RecordingTurns {
  /** Of the turns that the recording became, in order. */
  readonly turnIds: readonly string[];
  /** Its messages, as they are after late words. */
  readonly messages: readonly string[];
}

/**
 * @param events of the session so far. @param from how many there were when the recording began, @param to when the
 * next one did.
 */
export function recordingTurns(events: readonly HeardEvent[], from: number, to = events.length): RecordingTurns {
  const begun = new Set(
    events.slice(from, to).flatMap(({ event, args }) => (event === 'USER_SPEECH_STARTED' ? [String(args[0])] : [])),
  );
  const messages = new Map<string, Chunk>();
  // A message that late words change comes again under its id, and may be a turn with another one.
  const turnIds = new Set<string>();
  for (const message of userTurns(events)) {
    const { id, correlationId = '' } = message;
    if (!begun.has(correlationId) && !messages.has(id)) continue;
    messages.set(id, message);
    turnIds.add(correlationId);
  }
  return { turnIds: [...turnIds], messages: [...messages.values()].map(({ content }) => content) };
}

/**
 * @returns whether the persona has said, or begun to say and was interrupted, the answer to the last of these turns.
 * The answer to words that late ones changed is a turn with an id of its own, with which no voice began.
 */
export function isAnswered(events: readonly HeardEvent[], { turnIds }: RecordingTurns): boolean {
  const all = chunks(events);
  const asked = all.findLastIndex((it) => it.role === 'user' && turnIds.includes(it.correlationId ?? ''));
  const known = new Set(all.slice(0, asked).map(({ correlationId }) => correlationId));
  const isAnswer = (id?: string): boolean => id === turnIds.at(-1) || !known.has(id);
  return (
    asked >= 0 && all.slice(asked).some((it) => it.role === 'persona' && it.endOfSpeech && isAnswer(it.correlationId))
  );
}

/** @returns whether a message of the persona has begun and not ended. */
export function isSpeaking(events: readonly HeardEvent[]): boolean {
  const last = chunks(events).findLast(({ role }) => role === 'persona');
  return last !== undefined && !last.endOfSpeech;
}
