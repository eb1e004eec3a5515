import { setImmediate } from 'node:timers/promises';
import type { Candidate } from './candidate.ts';
import type { QueryWord } from './query-terms.ts';

/** A word of a question with how rare it is. */
export interface RatedWord {
  readonly alternatives: QueryWord;
  /** Higher is rarer. */
  readonly rarity: number;
}

export interface Ranked {
  readonly candidate: Candidate;
  /** How much of the question's words, by their rarity, occurs: 0…1. */
  readonly strength: number;
}

/** BM25's customary constants: how soon more of a word adds nothing, and how much long passages are held back. */
const SATURATION = 1.2;
const LENGTH_PART = 0.6;
/** Characters that are compared at once: up to 8 ms of work. */
const CHARACTERS_AT_ONCE = 100_000;

/** In a handful of passages nothing is rare: this many are taken to be there besides. */
const OTHERS = 10;

/**
 * @param passages how many there are. @param found how many of them have the word: none counts as one, or words that
 * only the question has would be all that matters. @returns its rarity, as in BM25.
 */
export function rarityOf(passages: number, found: number): number {
  const having = Math.max(1, found);
  return Math.log(1 + (passages + OTHERS - having + 0.5) / (having + 0.5));
}

/**
 * Ranks passages by the question's words in them, best first (BM25; the ways of finding a word count by how sure they
 * are). Conversations run on the same thread: other work runs in between.
 */
export async function rankPassages(words: readonly RatedWord[], candidates: readonly Candidate[]): Promise<Ranked[]> {
  const match = matcherOf(words);
  const total = words.reduce((sum, { rarity }) => sum + rarity, 0);
  const usual = candidates.reduce((sum, { terms }) => sum + terms.length, 0) / Math.max(1, candidates.length);
  const ranked: (Ranked & { readonly rank: number })[] = [];
  let characters = 0;
  for (const candidate of candidates) {
    const terms = candidate.terms.split(' ');
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    const length = 1 - LENGTH_PART + LENGTH_PART * (candidate.terms.length / usual);
    let [rank, covered] = [0, 0];
    for (const [index, { weight, times }] of match(counts).entries()) {
      const { rarity } = words[index]!;
      covered += rarity * weight;
      rank += rarity * weight * ((times * (SATURATION + 1)) / (times + SATURATION * length));
    }
    // How many of the words occur is more important than how often.
    const strength = total === 0 ? 0 : covered / total;
    ranked.push({ candidate, strength, rank: rank * (0.5 + strength) });
    characters += candidate.terms.length;
    if (characters < CHARACTERS_AT_ONCE) continue;
    characters = 0;
    await setImmediate();
  }
  return ranked.toSorted((a, b) => b.rank - a.rank).map(({ candidate, strength }) => ({ candidate, strength }));
}

/** For each word, how well and how often a passage has it. */
type Matcher = (terms: ReadonlyMap<string, number>) => readonly { weight: number; times: number }[];

/** Beginnings are looked up by their first characters: a question has hundreds of them, and a passage as many terms. */
const KEY = 4;

function matcherOf(words: readonly RatedWord[]): Matcher {
  type Way = { readonly word: number; readonly term: string; readonly weight: number };
  const exact = new Map<string, Way[]>();
  const longer = new Map<string, Way[]>();
  for (const [word, { alternatives }] of words.entries())
    for (const { term, isPrefix, weight } of alternatives) {
      const [into, key] = isPrefix ? [longer, term.slice(0, KEY)] : [exact, term];
      into.set(key, [...(into.get(key) ?? []), { word, term, weight }]);
    }
  const isShort = [...longer.keys()].some((key) => key.length < KEY);
  return (terms) => {
    const found = words.map(() => ({ weight: 0, times: 0 }));
    for (const [term, count] of terms) {
      const keys = isShort ? [1, 2, 3, KEY].map((length) => term.slice(0, length)) : [term.slice(0, KEY)];
      const prefixes = [...new Set(keys)].flatMap((key) => longer.get(key) ?? []);
      const ways = [...(exact.get(term) ?? []), ...prefixes.filter((way) => term.startsWith(way.term))];
      for (const { word, weight } of ways) {
        const best = found[word]!;
        if (weight > best.weight) found[word] = { weight, times: count };
        else if (weight === best.weight) best.times += count;
      }
    }
    return found;
  };
}
