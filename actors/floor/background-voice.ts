/**
 * A television goes on where the user stops: the VAD hears one voice without an end, and the user would never be
 * answered. What tells that the user has finished: the words stop coming, the voice becomes far quieter
 * (`vad/vad-thresholds.ts`), or the recognizer says so. Who goes on speaking gives new words, and is never cut off.
 */

/**
 * A voice as loud as before, and no new words for this long. Recognizers give partial text several times a second; a
 * busy machine stalls for seconds, but seldom for so long, and an "uuuh" is shorter than one breath.
 */
const STALLED_MS = 6_000;
/** The recognizer says that the turn is over. Who goes on gives new words within this time. */
export const SAID_OVER_MS = 1_500;
/** How sure it has to be: the same as in a pause (`end-of-turn.ts`). */
const SAYS_OVER = 0.8;
/** A voice without any word: music, laughter, a television next door. */
const WORDLESS_MS = 10_000;
/** The same where the recognizer gives no partial text: nobody speaks for so long without a pause for breath. */
const WORDLESS_WITHOUT_PARTIALS_MS = 20_000;
/** Partial text comes up to this much later than its words: what was said before the voice fell is no news. */
const PARTIAL_LAG_MS = 700;

/** @returns how long the words may stay away while a voice is heard. */
export function longestWithoutWords(text: string, partialsKnown: boolean): number {
  if (text.trim() !== '') return STALLED_MS;
  return partialsKnown ? WORDLESS_MS : WORDLESS_WITHOUT_PARTIALS_MS;
}

export function saysOver(text: string, probability: number): boolean {
  return text.trim() !== '' && probability >= SAYS_OVER;
}

/** @param since when the voice became quiet. @param wordsAt when the newest words came. */
export function isWordlessSince(since: number, wordsAt: number): boolean {
  return wordsAt <= since + PARTIAL_LAG_MS;
}
