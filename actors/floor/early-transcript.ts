/**
 * When to ask the recognizer for its final text. Asking when the voice stops hides its latency but cuts the utterance
 * at every pause; asking when the turn is over costs the latency each time. So it is asked as late as it can be for the
 * answer to be there when the turn is over, by the latency that this recognizer has shown.
 */

/** Until measured: hosted recognizers take 220…300 ms to the final text. */
export const FIRST_GUESS_MS = 300;
/** Finals vary; this much more than the average is allowed for. */
const SAFETY_FACTOR = 1.4;
const SAFETY_MS = 30;
const NEWEST_WEIGHT = 0.3;
/** Learned values stay in here: a stall of seconds is no habit. */
const LOWEST_MS = 20;
const HIGHEST_MS = 1_500;

/**
 * A recognizer of whole utterances reads the last words when the voice stops, and has them so much later whether it is asked
 * or not. That is no delay by which to ask earlier: each question cuts the utterance, and a word alone is read badly.
 */
const LAST_WORDS_MS = 400;

/** @param final how its words stand to the partial text: `news` has more or others. @returns what the answer to a question took. */
export function answerTime(
  times: { readonly askedAt: number; readonly lastVoicedAt: number; readonly now: number },
  final: 'news' | 'known',
): number {
  const { askedAt, lastVoicedAt, now } = times;
  return now - (final === 'known' ? askedAt : Math.max(askedAt, Math.min(now, lastVoicedAt + LAST_WORDS_MS)));
}

export function learnLatency(knownMs: number, measuredMs: number): number {
  const bounded = Math.min(Math.max(measuredMs, LOWEST_MS), HIGHEST_MS);
  // A slower answer counts at once: being late costs the user, being early costs little.
  return bounded > knownMs ? bounded : knownMs + NEWEST_WEIGHT * (bounded - knownMs);
}

/** @returns when to ask, for an answer by `deadline`. */
export function askAt(deadline: number, latencyMs: number): number {
  return deadline - longestLatency(latencyMs);
}

/** @returns what the next answer takes at most, nearly always. */
export function longestLatency(latencyMs: number): number {
  return latencyMs * SAFETY_FACTOR + SAFETY_MS;
}

/** A turn waits so long for its final text. It then goes on with the partial text, and the words come late. */
const FINAL_TIMEOUT_MS = 3_000;
/** … and at most so long, where the recognizer is behind the sound: who waits for more than that speaks again. */
const MAX_FINAL_TIMEOUT_MS = 6_000;
/** One that falls behind needs longer for the next final than for the last one. */
const FALLS_BEHIND_BY = 2;

/**
 * A recognizer that is slow but goes on (a busy machine) would be answered with half of the words: its partial text is as
 * late as its finals. One that has always answered soon, and does not now, hangs.
 * @param tookMs what the newest final took, from the last sound on. @returns how long to wait for the next one, ms.
 */
export function longestWaitForFinal(tookMs: number): number {
  return Math.min(Math.max(FINAL_TIMEOUT_MS, tookMs * FALLS_BEHIND_BY), MAX_FINAL_TIMEOUT_MS);
}
