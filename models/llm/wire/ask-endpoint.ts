import { AnswerLimitError } from '../../http/answer-limits.ts';
import { ProviderError, type LlmEvent, type LlmRequest } from '../../ports.ts';
import { withDeadlines, type Deadlines } from '../deadlines.ts';
import type { Fetch } from '../definition.ts';
import { errorForConnection, errorForRefusal, errorForStream } from '../http-errors.ts';
import { sentenceFor, type EndpointMemory } from '../request/endpoint-memory.ts';
import { RequestRepair, type Body } from '../request/repair.ts';
import { refusalIn, WEB_PAGE } from '../request/refusal.ts';
import { AnswerStream, BrokenAnswerError, RefusedError, type AnswerReader } from './answer-reader.ts';
import { bytesOfAnswer } from './bytes-of-answer.ts';
import { RequestMeter } from './request-meter.ts';
import { NAME_OF_FORM, type WireForm } from './wire-form.ts';

export interface Asked {
  readonly body: Body;
  readonly headers?: Readonly<Record<string, string>>;
  readonly reader: AnswerReader;
  /** Names of tools whose schemas the format does not allow. */
  readonly leftOut: readonly string[];
}

export interface WireEndpoint {
  /** For messages and logs. */
  readonly provider: string;
  /** Of its requests. */
  readonly form: WireForm;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The key, which no message may hold. */
  readonly secret: string | null;
  readonly fetch: Fetch;
  readonly deadlines: Deadlines;
  readonly memory: EndpointMemory;
  /** The request in the format of the endpoint, by what its memory has now. */
  prepare(request: LlmRequest): Asked;
}

/**
 * Asks one endpoint, and reads its answer. If the endpoint refuses the request and it can be repaired, it is repaired
 * at once, before any of the answer has come. The remedy is remembered.
 * @throws ProviderError
 */
export async function* askEndpoint(
  endpoint: WireEndpoint,
  request: LlmRequest,
  signal: AbortSignal,
): AsyncGenerator<LlmEvent> {
  const { provider, deadlines } = endpoint;
  try {
    const events = withDeadlines(provider, deadlines, signal, (inner) => repaired(endpoint, request, inner));
    for await (const event of events) if (event !== null) yield event;
  } catch (error) {
    throw translated(endpoint, request, error);
  }
}

/** Yields null where something came that is no event yet, such as a piece of a tool call. */
async function* repaired(
  endpoint: WireEndpoint,
  request: LlmRequest,
  signal: AbortSignal,
): AsyncGenerator<LlmEvent | null> {
  const { memory } = endpoint;
  const known = new Set(memory.changes);
  const repair = new RequestRepair(memory, request, () => ({
    ...endpoint.prepare(request).body,
    url: addressOf(endpoint),
  }));
  for (;;) {
    let began = false;
    let spoke = false;
    try {
      const asked = endpoint.prepare(request);
      for await (const event of answer(endpoint, asked, request, signal)) {
        began ||= event !== null;
        spoke ||= event?.type === 'text';
        yield event;
      }
      for (const change of memory.changes)
        if (!known.has(change)) request.noticed?.({ kind: 'adapted', sentence: sentenceFor(change) });
      tellForeign(endpoint, asked, request);
      return tellLeftOut(asked, request);
    } catch (error) {
      if (signal.aborted) throw error;
      // Nothing was said, so nothing is said twice. What was thought aloud has come as text: the next request is
      // better.
      if (onlyThought(error) && repair.afterThoughts() && !spoke) continue;
      if (!(error instanceof RefusedError) || began || !repair.after(error.refusal)) throw error;
    }
  }
}

function onlyThought(error: unknown): boolean {
  return error instanceof BrokenAnswerError && error.kind === 'only-thought';
}

/** With `/v1` where the address was given without it: behind its path, or in place of that. */
export function addressOf({ url, memory }: Pick<WireEndpoint, 'url' | 'memory'>): string {
  if (/\/v\d\w*\//.test(url)) return url;
  if (memory.has('below-v1')) return url.replace(/(?=\/chat\/completions(?:\?|$))/, '/v1');
  return memory.has('at-v1') ? url.replace(/^(https?:\/\/[^/]+)\/.+(?=\/chat\/completions(?:\?|$))/, '$1/v1') : url;
}

async function* answer(
  endpoint: WireEndpoint,
  asked: Asked,
  request: LlmRequest,
  signal: AbortSignal,
): AsyncGenerator<LlmEvent | null> {
  const meter = new RequestMeter(endpoint.provider, request);
  try {
    const body = await send(endpoint, asked, request, signal);
    meter.answered();
    const stream = new AnswerStream(asked.reader, meter.usage);
    for await (const bytes of bytesOfAnswer(body, stream)) {
      const events = stream.push(bytes);
      if (events !== null) yield* events.length === 0 ? [null] : events;
    }
    meter.whole();
    yield* stream.end();
  } catch (error) {
    if (!signal.aborted) meter.failed(error);
    throw error;
  } finally {
    meter.over();
  }
}

/** @returns the body of the answer. @throws RefusedError, ProviderError, AnswerLimitError */
async function send(
  endpoint: WireEndpoint,
  asked: Asked,
  { sessionId, correlationId }: LlmRequest,
  signal: AbortSignal,
): Promise<NonNullable<Response['body']>> {
  const { provider, headers, fetch } = endpoint;
  const response = await fetch(addressOf(endpoint), {
    method: 'POST',
    signal,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      'x-session-id': sessionId,
      'x-correlation-id': correlationId,
      ...headers,
      ...asked.headers,
    },
    body: JSON.stringify(asked.body),
  }).catch((error: unknown) => {
    throw AnswerLimitError.in(error) ?? errorForConnection(provider, error);
  });
  if (!response.ok || response.body === null) {
    const refusal = refusalIn(response.status, await response.text().catch(() => ''));
    throw new RefusedError({ ...refusal, retryAfter: response.headers.get('retry-after') });
  }
  if (/text\/html/i.test(response.headers.get('content-type') ?? '')) {
    await response.body.cancel().catch(() => {});
    throw new RefusedError({ status: response.status, code: WEB_PAGE, param: null, message: '', numbers: {} });
  }
  return response.body;
}

/** Endpoints of which it was told: once is enough. */
const toldForeign = new WeakSet<WireEndpoint>();

function tellForeign(endpoint: WireEndpoint, { reader: { foreign } }: Asked, request: LlmRequest): void {
  if (!foreign || toldForeign.has(endpoint)) return;
  toldForeign.add(endpoint);
  const sentence =
    `It is asked in the format of ${NAME_OF_FORM[endpoint.form]} and answers in that of ${NAME_OF_FORM[foreign]}. That is ` +
    'read; if tools or further turns fail, choose its format for this LLM.';
  request.noticed?.({ kind: 'odd-answer', sentence });
}

function tellLeftOut({ leftOut, reader }: Asked, request: LlmRequest): void {
  for (const name of leftOut)
    request.noticed?.({ kind: 'adapted', sentence: `The schema of the tool ${name} fits no request: it is left out.` });
  if (reader.unread > 0)
    request.noticed?.({
      kind: 'odd-answer',
      sentence: 'A tool call came as text that could not be read. It is not spoken.',
    });
}

function translated({ provider, form, secret }: WireEndpoint, request: LlmRequest, error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  if (error instanceof RefusedError && error.refusal.code === WEB_PAGE)
    return new ProviderError(provider, 'bad-response', 'A web page is at the address of the model: check the URL.');
  if (error instanceof RefusedError) {
    const said = request.messages.map(({ content }) => content);
    return errorForRefusal(provider, error.refusal, { secret, said, form, cause: error });
  }
  if (error instanceof BrokenAnswerError && error.kind === 'declined')
    return new ProviderError(provider, 'bad-request', 'The language model declined to answer this.');
  if (error instanceof BrokenAnswerError && error.kind === 'only-thought')
    return new ProviderError(
      provider,
      'bad-response',
      'The language model only thought, and said nothing: give it more tokens, less reasoning effort, or its server the right reasoning parser.',
      { cause: error },
    );
  if (error instanceof BrokenAnswerError && error.kind === 'empty')
    return new ProviderError(provider, 'bad-response', 'The language model answered with nothing.', { cause: error });
  return AnswerLimitError.in(error)?.asProviderError(provider, 'The model') ?? errorForStream(provider, error);
}
