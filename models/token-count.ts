/** More is no number of tokens of one answer. */
const MAX_TOKENS = 1_000_000_000;

/**
 * A number of tokens as a service tells it: some write `null`, some numbers with a fraction (Cohere). @returns undefined
 * when it tells none.
 */
export function readTokenCount(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= MAX_TOKENS ? Math.round(value) : undefined;
}
