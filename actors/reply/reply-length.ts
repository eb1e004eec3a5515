import type { Room } from '../text/reply-text.ts';

/**
 * How long the persona speaks for one answer of its LLM, through all rounds of tools: 40 minutes in sentences of
 * ordinary length. A longer answer means that a model or an endpoint does not stop. This is also the longest text that
 * a client may give to be spoken.
 */
export const MAX_REPLY: Room = { characters: 32 * 1024, segments: 500 };

/**
 * How many UTF-16 units are accepted of one answer of the LLM, reasoning included: 64,000 tokens, with which a model
 * thinks for minutes while the user waits.
 */
export const MAX_ANSWER_LENGTH = 256 * 1024;

/** @returns what the reply may still say. */
export function roomAfter(said: Room): Room {
  return { characters: MAX_REPLY.characters - said.characters, segments: MAX_REPLY.segments - said.segments };
}
