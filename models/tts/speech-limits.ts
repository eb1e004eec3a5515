import type { AnswerLimits, SizeLimits } from '../http/answer-limits.ts';

/**
 * The longest that a text may take to speak: a character takes 70 ms, at half speed 140 ms, as a digit of a long number
 * 500 ms. Longer sound would not be of this text; it is gathered in memory until it is played.
 */
const MS_PER_CHARACTER = 250;
const SPARE_MS = 30_000;
const LONGEST_MS = 10 * 60_000;

/** 24 kHz, 16 bit. */
const PCM_BYTES_PER_MS = 48;
/** As base64 among times of characters, words and phonemes. */
const JSON_BYTES_PER_MS = 2 * PCM_BYTES_PER_MS;
/** A provider that does not stream sends two minutes of sound as one piece of JSON. */
const LONGEST_JSON_BYTES = 8 * 1024 * 1024;
/** A provider may speak no faster than it is heard, and begin late. */
const LATE_START_MS = 10_000;

/** How much sound is taken for a text. @param form of the answer: raw samples, or JSON in events, lines or messages. */
export function speechLimits(text: string, form: 'pcm' | 'event' | 'line' | 'message'): AnswerLimits {
  const audioMs = Math.min(LONGEST_MS, SPARE_MS + MS_PER_CHARACTER * text.length);
  const size: SizeLimits =
    form === 'pcm'
      ? { bodyBytes: audioMs * PCM_BYTES_PER_MS, unit: null }
      : { bodyBytes: audioMs * JSON_BYTES_PER_MS, unit: { kind: form, bytes: LONGEST_JSON_BYTES } };
  return { ...size, wholeMs: audioMs + LATE_START_MS };
}
