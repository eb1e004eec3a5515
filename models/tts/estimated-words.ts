import type { TimedUnit } from '../ports.ts';
import { textWords } from './word-timeline.ts';

/**
 * Word times for voices that report none. Each word gets a share of the audio by its number of characters, plus one for
 * the gap after it. The error is up to a few tenths of a second in long sentences.
 */
export function estimateWords(text: string, language: string, durationMs: number): TimedUnit[] {
  const words = textWords(text, language);
  const total = words.reduce((sum, word) => sum + word.text.length + 1, 0);
  let done = 0;
  return words.map((word) => {
    const startMs = (durationMs * done) / total;
    done += word.text.length + 1;
    return { text: word.text, startMs, endMs: (durationMs * done) / total };
  });
}
