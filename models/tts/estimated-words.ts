import type { TimedUnit } from '../ports.ts';
import { textWords } from './word-timeline.ts';

/**
 * Word times for voices that report none: every word gets a share of the sound by its number of characters, plus one
 * for the gap after it. Off by up to a few tenths of a second in long sentences; providers with timings are better.
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
