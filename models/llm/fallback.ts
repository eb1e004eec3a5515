import { ProviderError, type LanguageModel, type ProviderErrorCode } from '../ports.ts';
import type { LatencyBook } from './latency-book.ts';

export interface Endpoint {
  readonly url: string;
  readonly region: string | null;
  readonly model: LanguageModel;
}

/** Failures that another endpoint may not have. A refused key or request would be refused again. */
const WORTH_ANOTHER: ReadonlySet<ProviderErrorCode> = new Set(['connect', 'timeout', 'rate-limit', 'server']);

/**
 * One model with several endpoints: first the one in the session's region, then the fastest lately, or the first as given
 * that has not failed lately. The next one takes over as long as nothing of the answer has arrived; after the first token a failure is final, because the user may have heard it.
 */
export function createFallback(
  name: string,
  endpoints: readonly Endpoint[],
  region: string | null,
  latencies: LatencyBook,
  preferred: 'fastest' | 'as-given' = 'fastest',
): LanguageModel {
  return {
    name,
    async *stream(request, signal) {
      let failure: unknown = new ProviderError(name, 'unavailable', 'The language model has no endpoint.');
      for (const endpoint of inOrder(endpoints, region, latencies, preferred)) {
        const askedAt = latencies.now();
        let answered = false;
        try {
          for await (const event of endpoint.model.stream(request, signal)) {
            if (!answered) latencies.succeeded(endpoint.url, latencies.now() - askedAt);
            answered = true;
            yield event;
          }
          return;
        } catch (error) {
          if (answered || signal.aborted || !(error instanceof ProviderError) || !WORTH_ANOTHER.has(error.code))
            throw error;
          latencies.failed(endpoint.url);
          failure = error;
        }
      }
      throw failure;
    },
  };
}

/** Sorting is stable: endpoints of which nothing is known stay in the order in which they were configured. */
function inOrder(
  endpoints: readonly Endpoint[],
  region: string | null,
  latencies: LatencyBook,
  preferred: 'fastest' | 'as-given',
): Endpoint[] {
  const cost = ({ url }: Endpoint): number =>
    preferred === 'fastest' ? (latencies.expected(url) ?? 0) : Number(latencies.hasFailed(url));
  return endpoints.toSorted((a, b) => Number(isIn(b, region)) - Number(isIn(a, region)) || cost(a) - cost(b));
}

/** Regions may be given broadly: `us` serves a session in `us-east`, and the other way round. */
function isIn(endpoint: Endpoint, region: string | null): boolean {
  if (endpoint.region === null || region === null) return false;
  const [a, b] = [endpoint.region.toLowerCase(), region.toLowerCase()];
  return a === b || a.startsWith(`${b}-`) || b.startsWith(`${a}-`);
}
