import type { Embedder } from '../../../models/ports.ts';
import type { Store } from '../../store/open.ts';
import type { Candidate } from './candidate.ts';
import { byMeaning, byWords, rateWords } from './passages.ts';
import { queryWords } from './query-terms.ts';
import { rankPassages, type Ranked } from './rank-passages.ts';

export interface Hit extends Omit<Candidate, 'terms'> {
  /** 0…1, higher is closer. */
  readonly score: number;
}

/** How many passages each kind of search contributes before they are ranked together. */
const CANDIDATES = 50;
/** Passages with a word of the question, before they are compared with all of it. */
const WORDED = 200;
/** Below this a passage shares hardly a word with the question. */
const MIN_COVERAGE = 0.15;
/** Below this two texts are about different things, for the usual embedding models. */
const MIN_CLOSENESS = 0.3;
/** Reciprocal rank fusion: the customary constant, which keeps one list's first place from deciding alone. */
const FUSION = 60;

/** Searches groups by words and, with an embedder, by meaning; the two rankings are fused. */
export async function searchPassages(
  store: Store,
  embedder: Embedder | null,
  request: { groupIds: readonly string[]; query: string; limit: number; signal: AbortSignal },
): Promise<Hit[]> {
  const [worded, meant] = await Promise.all([
    byTheirWords(store, request.groupIds, request.query),
    embedder === null ? [] : nearest(store, embedder, request),
  ]);
  const covered = worded.filter(({ strength }) => strength >= MIN_COVERAGE);
  const close = meant
    .filter(({ closeness }) => closeness >= (embedder?.leastCloseness ?? MIN_CLOSENESS))
    .map(({ candidate, closeness }) => ({ candidate, strength: closeness }));
  return fused([covered, close]).slice(0, request.limit);
}

async function byTheirWords(store: Store, groupIds: readonly string[], query: string): Promise<Ranked[]> {
  const words = await rateWords(store, groupIds, queryWords(query));
  const ranked = await rankPassages(words, await byWords(store, groupIds, words, WORDED));
  return ranked.slice(0, CANDIDATES);
}

async function nearest(
  store: Store,
  embedder: Embedder,
  { groupIds, query, signal }: { groupIds: readonly string[]; query: string; signal: AbortSignal },
) {
  try {
    const [vector] = await embedder.embed([query], signal);
    return vector === undefined ? [] : await byMeaning(store, groupIds, vector, CANDIDATES);
  } catch {
    // If the embedding provider fails, the word search still finds something: a conversation is waiting.
    return [];
  }
}

function fused(lists: readonly (readonly { candidate: Candidate; strength: number }[])[]): Hit[] {
  const places = new Map<number, { candidate: Candidate; rank: number; strength: number }>();
  for (const list of lists) {
    for (const [place, { candidate, strength }] of list.entries()) {
      const before = places.get(candidate.id);
      places.set(candidate.id, {
        candidate,
        rank: (before?.rank ?? 0) + 1 / (FUSION + place),
        strength: Math.max(before?.strength ?? 0, strength),
      });
    }
  }
  return [...places.values()]
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ candidate: { id, documentId, filename, content, chunkIndex, metadata }, strength }) => ({
      id,
      documentId,
      filename,
      content,
      chunkIndex,
      metadata,
      score: Math.round(Math.min(1, Math.max(0, strength)) * 1000) / 1000,
    }));
}
