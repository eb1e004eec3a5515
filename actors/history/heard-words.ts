import type { TimedUnit } from '../../models/ports.ts';
import { plainWord, wordSpans } from '../text/words.ts';

/** Where each word of a spoken text lies in time, by the synthesizer's word times, else in proportion. */

export interface HeardWord {
  /** Offset behind the word and the punctuation after it. */
  readonly end: number;
  /** From this moment of playing the word counts as heard, ms. */
  readonly countsAtMs: number;
}

interface Spoken {
  readonly text: string;
  readonly words: readonly TimedUnit[];
  /** Null until the synthesizer is done. */
  readonly durationMs: number | null;
}

/**
 * Speech rate assumed until timings are known, ms per letter. 14 letters a second is ordinary English; a Chinese
 * character is a syllable and takes about three times as long.
 */
const MS_PER_LETTER = 70;
const MS_PER_IDEOGRAPH = 220;
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** A synthesizer's word is looked for among this many next words of the text ("3" may be timed as "three"). */
const LOOK_AHEAD = 4;

/** A segment is asked about for every caption and every event of its speech, and changes a few times a second. */
const known = new WeakMap<Spoken, readonly HeardWord[]>();

/** A word counts as heard once half of it was played. @param spoken never changes in place. */
export function wordEnds(spoken: Spoken): readonly HeardWord[] {
  const before = known.get(spoken);
  if (before !== undefined) return before;
  const found = findWordEnds(spoken);
  known.set(spoken, found);
  return found;
}

function findWordEnds(spoken: Spoken): HeardWord[] {
  const spans = wordSpans(spoken.text);
  const ends = spans.map((span, at) =>
    at === spans.length - 1 ? spoken.text.length : behindPunctuation(spoken.text, span.end),
  );
  const times = wordTimes(spoken, spans);
  let latest = 0;
  return spans.map((_, at) => {
    const time = times[at] ?? { startMs: latest, endMs: latest };
    latest = Math.max(latest, (time.startMs + time.endMs) / 2);
    return { end: ends[at] ?? spoken.text.length, countsAtMs: latest };
  });
}

/** @returns how many UTF-16 units of the text were heard after `playedMs`, rounded to whole words. */
export function heardLength(spoken: Spoken, playedMs: number): number {
  if (playedMs <= 0) return 0;
  const words = wordEnds(spoken);
  if (words.length === 0) return spoken.durationMs !== null && playedMs >= spoken.durationMs ? spoken.text.length : 0;
  return words.findLast((word) => word.countsAtMs <= playedMs)?.end ?? 0;
}

function wordTimes(spoken: Spoken, spans: readonly { readonly text: string }[]): { startMs: number; endMs: number }[] {
  const weights = spans.map((span) => letterMs(span.text));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const scale = spoken.durationMs === null || total === 0 ? 1 : spoken.durationMs / total;
  let at = 0;
  const proportional = weights.map((weight) => {
    const startMs = at;
    at += weight * scale;
    return { startMs, endMs: at };
  });
  return spoken.words.length === 0
    ? proportional
    : anchored(
        spans.map((span) => span.text),
        spoken,
        proportional,
      );
}

/** Words found in the synthesizer's list take its times; the others share the time between their neighbors. */
function anchored(
  texts: readonly string[],
  spoken: Spoken,
  proportional: readonly { startMs: number; endMs: number }[],
): { startMs: number; endMs: number }[] {
  const times: ({ startMs: number; endMs: number } | null)[] = texts.map(() => null);
  const plain = texts.map(plainWord);
  let next = 0;
  for (const unit of spoken.words) {
    const word = plainWord(firstWord(unit.text));
    const found = plain.slice(next, next + LOOK_AHEAD).indexOf(word);
    if (found === -1) continue;
    times[next + found] = { startMs: unit.startMs, endMs: unit.endMs };
    next += found + 1;
  }
  return times.map((time, at) => time ?? between(times, at, spoken, proportional));
}

function between(
  times: readonly ({ startMs: number; endMs: number } | null)[],
  at: number,
  spoken: Spoken,
  proportional: readonly { startMs: number; endMs: number }[],
): { startMs: number; endMs: number } {
  let first = at;
  while (first > 0 && times[first - 1] === null) first -= 1;
  let last = at;
  while (last < times.length - 1 && times[last + 1] === null) last += 1;
  const from = times[first - 1]?.endMs ?? 0;
  const span = (proportional[last]?.endMs ?? 0) - (proportional[first]?.startMs ?? 0);
  // Behind the last known word the end may still be unknown: assume the ordinary rate from there.
  const lastKnown = spoken.words.at(-1)?.endMs ?? from;
  const to = times[last + 1]?.startMs ?? Math.max(lastKnown, spoken.durationMs ?? from + span);
  const scale = span === 0 ? 0 : Math.max(0, to - from) / span;
  const offset = proportional[first]?.startMs ?? 0;
  return {
    startMs: from + ((proportional[at]?.startMs ?? 0) - offset) * scale,
    endMs: from + ((proportional[at]?.endMs ?? 0) - offset) * scale,
  };
}

/** Most synthesizers give single words: to look for their ends takes longer than all else here. */
function firstWord(text: string): string {
  return /^[a-z]+$/i.test(text) ? text : (wordSpans(text)[0]?.text ?? text);
}

function letterMs(word: string): number {
  let ms = 0;
  for (const char of word) ms += IDEOGRAPH.test(char) ? MS_PER_IDEOGRAPH : MS_PER_LETTER;
  // The gap to the next word.
  return ms + MS_PER_LETTER;
}

function behindPunctuation(text: string, end: number): number {
  const after = /^[^\s\p{L}\p{N}("“‘[«¿¡]+/u.exec(text.slice(end));
  return end + (after?.[0].length ?? 0);
}
