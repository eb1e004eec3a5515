import { setImmediate } from 'node:timers/promises';
import type { Candidate } from './passages.ts';
import { coverage } from './query-words.ts';

/** Characters that are compared with the words at once: up to 8 ms of work. */
const CHARACTERS_AT_ONCE = 25_000;

/**
 * Ranks passages by how many of the words occur in them, best first. Rows of tables are long, and conversations run on
 * the same thread: other work runs in between.
 */
export async function byCoverage(
  words: readonly string[],
  candidates: readonly Candidate[],
): Promise<{ candidate: Candidate; strength: number }[]> {
  const ranked: { candidate: Candidate; strength: number }[] = [];
  let characters = 0;
  for (const candidate of candidates) {
    ranked.push({ candidate, strength: coverage(words, candidate.content) });
    characters += candidate.content.length;
    if (characters < CHARACTERS_AT_ONCE) continue;
    characters = 0;
    await setImmediate();
  }
  return ranked.toSorted((a, b) => b.strength - a.strength);
}
