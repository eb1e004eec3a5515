import { ProviderError, type LanguageModel, type LlmEvent, type LlmRequest, type MeteredUse } from '../ports.ts';
import type { CircuitBreaker } from '../circuit-breaker.ts';
import { withDeadlines, type Deadlines } from './deadlines.ts';
import type { EndpointLatencies } from './endpoint-latencies.ts';

/** One endpoint of one LLM. */
export interface LlmLink {
  /** The name of its circuit: the endpoint with its model and key. */
  readonly id: string;
  /** The LLM's name in the session's record. */
  readonly provider: string;
  /** Place of the LLM in the operator's order, from 0, the preferred one. Endpoints of one LLM have the same place. */
  readonly place: number;
  readonly url: string;
  readonly region: string | null;
  readonly model: LanguageModel;
}

export interface LlmFallbackTools {
  /** Region of the session: an endpoint there is asked first. */
  readonly region: string | null;
  readonly latencies: EndpointLatencies;
  readonly circuits: CircuitBreaker;
  /** Deadlines while another LLM can be asked. */
  readonly hurried: Deadlines;
}

/**
 * Several LLMs, each with several endpoints, as one. If one fails before its first token, the next one is asked. If it
 * fails later, the error is thrown, because only the caller knows what was said: it asks for the rest, and then another
 * one answers, because the failed one rests. If an LLM refuses a request as wrong, the next one gets it, too, but the
 * first does not count as failed.
 */
export function createLlmFallback(name: string, links: readonly LlmLink[], tools: LlmFallbackTools): LanguageModel {
  return {
    name,
    stream: (request, signal) => ask(name, links, request, signal, tools),
    warm: async (request, signal) => inOrder(links, tools)[0]?.model.warm?.(request, signal),
  };
}

async function* ask(
  name: string,
  links: readonly LlmLink[],
  { used, failed, metered, ...wanted }: LlmRequest,
  signal: AbortSignal,
  tools: LlmFallbackTools,
): AsyncGenerator<LlmEvent> {
  const { circuits, latencies, hurried } = tools;
  const order = inOrder(links, tools);
  for (const [index, { id, provider, place, url, model }] of order.entries()) {
    const others = order.slice(index + 1);
    const latencyFrom = latencies.now();
    let began = false;
    const request = { ...wanted, metered: (use: MeteredUse) => metered?.({ ...use, provider, place }) };
    const stream = (inner: AbortSignal): AsyncIterable<LlmEvent> => model.stream(request, inner);
    const isHurried = others.some((other) => circuits.mayBeAsked(other.id));
    const askedAt = circuits.asked(id);
    try {
      for await (const event of isHurried ? withDeadlines(name, hurried, signal, stream) : stream(signal)) {
        if (!began) {
          latencies.succeeded(url, latencies.now() - latencyFrom);
          used?.({ provider, place });
        }
        began = true;
        yield event;
      }
      circuits.succeeded(id);
      return;
    } catch (error) {
      if (signal.aborted || !(error instanceof ProviderError)) throw error;
      if (error.code !== 'bad-request') circuits.failed(id, askedAt, error.retryAfterMs);
      if (began || others.length === 0) throw error;
      failed?.(error);
    }
  }
}

/**
 * Endpoints that failed lately come last. LLMs stay in the operator's order. Of the endpoints of one LLM, those of the
 * region come first, then the fastest. Sorting is stable: endpoints without measurements keep their order.
 */
function inOrder(links: readonly LlmLink[], { region, latencies, circuits }: LlmFallbackTools): LlmLink[] {
  const isOpen = ({ id }: LlmLink): number => Number(!circuits.mayBeAsked(id));
  const isFar = (link: LlmLink): number => Number(!isIn(link, region));
  const delay = ({ url }: LlmLink): number => latencies.expected(url) ?? 0;
  return links.toSorted(
    (a, b) => isOpen(a) - isOpen(b) || a.place - b.place || isFar(a) - isFar(b) || delay(a) - delay(b),
  );
}

/** A region may be a part of another: `us` serves a session in `us-east`, and the reverse. */
function isIn(link: LlmLink, region: string | null): boolean {
  if (link.region === null || region === null) return false;
  const [a, b] = [link.region.toLowerCase(), region.toLowerCase()];
  return a === b || a.startsWith(`${b}-`) || b.startsWith(`${a}-`);
}
