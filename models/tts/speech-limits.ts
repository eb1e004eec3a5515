import type { AnswerLimits, SizeLimits } from '../http/answer-limits.ts';

/**
 * The longest audio of a text: a character takes 70 ms, at half speed 140 ms, and as a digit of a long number 500 ms.
 * More than that is not of this text, and it would fill the memory until it is played.
 */
const MS_PER_CHARACTER = 250;
const SPARE_MS = 30_000;
const MAX_MS = 10 * 60_000;

/** 24 kHz, 16 bit. */
const PCM_BYTES_PER_MS = 48;
/** 48 kHz, two channels of 32 bits. */
const FILE_BYTES_PER_MS = 384;
/** Bytes of JSON for a millisecond of audio: base64, with times of characters, words and phonemes. */
const JSON_BYTES_PER_MS = 2 * PCM_BYTES_PER_MS;
/** A provider that does not stream sends up to two minutes of audio as one piece of JSON. */
const MAX_JSON_BYTES = 8 * 1024 * 1024;
/** A provider may begin late, and send no faster than the audio plays. */
const LATE_START_MS = 10_000;

/** Limits for the answer to a text. @param form of the answer: raw samples, a file of any format, or JSON in events, lines or messages. */
export function speechLimits(text: string, form: 'pcm' | 'file' | 'event' | 'line' | 'message'): AnswerLimits {
  const audioMs = Math.min(MAX_MS, SPARE_MS + MS_PER_CHARACTER * text.length);
  const size: SizeLimits =
    form === 'file'
      ? { bodyBytes: audioMs * FILE_BYTES_PER_MS, unit: null }
      : form === 'pcm'
        ? { bodyBytes: audioMs * PCM_BYTES_PER_MS, unit: null }
        : { bodyBytes: audioMs * JSON_BYTES_PER_MS, unit: { kind: form, bytes: MAX_JSON_BYTES } };
  return { ...size, wholeMs: audioMs + LATE_START_MS };
}
