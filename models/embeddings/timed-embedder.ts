import type { LatencyTable } from '../latency-table.ts';
import { failureCode, type Embedder } from '../ports.ts';

/** The same embedder, with its times and its failures noted. @param now monotonic ms. */
export function timedEmbedder(
  embedder: Embedder,
  provider: string,
  latencies: LatencyTable,
  now: () => number = () => performance.now(),
): Embedder {
  return {
    ...embedder,
    async embed(texts, signal) {
      const askedAt = now();
      try {
        const vectors = await embedder.embed(texts, signal);
        latencies.add('vectors', provider, now() - askedAt);
        return vectors;
      } catch (error) {
        if (!signal.aborted) latencies.failed('vectors', provider, failureCode(error));
        throw error;
      }
    },
  };
}
