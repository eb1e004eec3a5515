import { ProviderError, type LanguageModel, type LlmEvent, type LlmRequest } from '../ports.ts';
import type { ProviderHealth } from '../provider-health.ts';
import { withDeadlines, type Deadlines } from './deadlines.ts';
import type { LatencyBook } from './latency-book.ts';

/** One endpoint of one LLM. */
export interface LlmLink {
  /** Tells the endpoint, with its model and key, apart from others: its health is remembered under this name. */
  readonly id: string;
  /** As the session's record names the LLM. */
  readonly provider: string;
  /** Place of the LLM in the operator's order; 0: the preferred one. Endpoints of one LLM share it. */
  readonly place: number;
  readonly url: string;
  readonly region: string | null;
  readonly model: LanguageModel;
}

export interface LlmFallbackTools {
  /** Region of the session: an endpoint there is asked first. */
  readonly region: string | null;
  readonly latencies: LatencyBook;
  readonly health: ProviderHealth;
  /** How long an LLM may keep the user waiting while another one can be asked. */
  readonly hurried: Deadlines;
}

/**
 * Several LLMs, and several endpoints of each, as one. Until the first token the next one is asked when one fails.
 * After it a failure is thrown: whoever knows what was said asks for the rest, and then the failed one rests, so that
 * another one is asked. A request that an LLM refuses as wrong is given to the next one, too, but does not make it an
 * ill one.
 */
export function createLlmFallback(name: string, links: readonly LlmLink[], tools: LlmFallbackTools): LanguageModel {
  return { name, stream: (request, signal) => ask(name, links, request, signal, tools) };
}

async function* ask(
  name: string,
  links: readonly LlmLink[],
  { used, failed, ...request }: LlmRequest,
  signal: AbortSignal,
  tools: LlmFallbackTools,
): AsyncGenerator<LlmEvent> {
  const { health, latencies, hurried } = tools;
  const order = inOrder(links, tools);
  for (const [index, { id, provider, place, url, model }] of order.entries()) {
    const others = order.slice(index + 1);
    const askedAt = health.now();
    const latencyFrom = latencies.now();
    let began = false;
    const stream = (inner: AbortSignal): AsyncIterable<LlmEvent> => model.stream(request, inner);
    const isHurried = others.some((other) => health.mayBeAsked(other.id));
    health.asked(id);
    try {
      for await (const event of isHurried ? withDeadlines(name, hurried, signal, stream) : stream(signal)) {
        if (!began) {
          latencies.succeeded(url, latencies.now() - latencyFrom);
          used?.({ provider, place });
        }
        began = true;
        yield event;
      }
      health.succeeded(id);
      return;
    } catch (error) {
      if (signal.aborted || !(error instanceof ProviderError)) throw error;
      if (error.code !== 'bad-request') health.failed(id, askedAt, error.retryAfterMs);
      if (began || others.length === 0) throw error;
      failed?.(error);
    }
  }
}

/**
 * Those that rest come last: they may be well after all. Of the others, LLMs stay in the operator's order; of the
 * endpoints of one LLM, those of the region come first, then the one that was fastest lately. Sorting is stable:
 * endpoints of which nothing is known stay as they were given.
 */
function inOrder(links: readonly LlmLink[], { region, latencies, health }: LlmFallbackTools): LlmLink[] {
  const rests = ({ id }: LlmLink): number => Number(!health.mayBeAsked(id));
  const isFar = (link: LlmLink): number => Number(!isIn(link, region));
  const delay = ({ url }: LlmLink): number => latencies.expected(url) ?? 0;
  return links.toSorted(
    (a, b) => rests(a) - rests(b) || a.place - b.place || isFar(a) - isFar(b) || delay(a) - delay(b),
  );
}

/** Regions may be given broadly: `us` serves a session in `us-east`, and the other way round. */
function isIn(link: LlmLink, region: string | null): boolean {
  if (link.region === null || region === null) return false;
  const [a, b] = [link.region.toLowerCase(), region.toLowerCase()];
  return a === b || a.startsWith(`${b}-`) || b.startsWith(`${a}-`);
}
