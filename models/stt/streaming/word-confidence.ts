interface ScoredWord {
  /** 0…1. */
  readonly confidence?: number | undefined;
}

/** @returns the mean confidence of the words that have one, 0…1. Undefined: none has. */
export function wordConfidence(words: readonly ScoredWord[]): number | undefined {
  const known = words.flatMap(({ confidence }) => confidence ?? []);
  if (known.length === 0) return undefined;
  const mean = known.reduce((sum, confidence) => sum + confidence, 0) / known.length;
  return Math.min(1, Math.max(0, mean));
}
