/** Speech for servers that only count: a word is a tone of its own height, so that a lost or doubled word is seen. */

const WORDS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'] as const;
export type Word = (typeof WORDS)[number];
const STEP = 2_000;
/** 192 ms at 16 kHz: whole pieces of every protocol or nearly. */
const WORD_SAMPLES = 3_072;
/** Filters blur the edges of a word; shorter runs are such edges. */
const MIN_WORD_MS = 120;

/** @returns the words in pieces of 32 ms, as they come from a microphone. */
export function spoken(...words: readonly Word[]): Int16Array[] {
  const pieces: Int16Array[] = [];
  for (const word of words) {
    const height = (WORDS.indexOf(word) + 1) * STEP;
    for (let at = 0; at < WORD_SAMPLES; at += 512) pieces.push(new Int16Array(512).fill(height));
  }
  return pieces;
}

export interface HeardWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** @param rate Hz. @param fromMs time of the first sample. */
export function heardWords(samples: Int16Array, rate = 16_000, fromMs = 0): HeardWord[] {
  const words: HeardWord[] = [];
  let begin = 0;
  for (let at = 1; at <= samples.length; at += 1) {
    if (at < samples.length && level(samples[at]!) === level(samples[begin]!)) continue;
    const text = WORDS[level(samples[begin]!) - 1];
    const [startMs, endMs] = [fromMs + (begin * 1000) / rate, fromMs + (at * 1000) / rate];
    if (text !== undefined && endMs - startMs >= MIN_WORD_MS) words.push({ text, startMs, endMs });
    begin = at;
  }
  return words;
}

const level = (sample: number): number => Math.round(sample / STEP);

/** @param bytes little-endian samples. */
export function samplesOf(bytes: Buffer): Int16Array {
  return new Int16Array(new Uint8Array(bytes).buffer);
}
