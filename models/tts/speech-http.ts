import { errors } from 'undici';
import { AnswerLimitError, type AnswerLimits } from '../http/answer-limits.ts';
import { limitFetch } from '../http/limit-fetch.ts';
import { fetchThrough, outgoingAgent } from '../http/outgoing.ts';
import { retryAfterMs } from '../http/retry-after.ts';
import { ProviderError, type ProviderErrorCode } from '../ports.ts';
import type { SpeechResponse } from './speech-response.ts';

/**
 * There may be a minute between two sentences of a conversation. A new TLS connection would delay the first audio by
 * 50–150 ms.
 */
const KEEP_ALIVE_MS = 90_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Until the status line. The engine gives up at the same time. */
const HEADERS_TIMEOUT_MS = 10_000;

const CODES: Readonly<Record<number, ProviderErrorCode>> = {
  400: 'bad-request',
  401: 'auth',
  403: 'auth',
  404: 'bad-request',
  408: 'timeout',
  422: 'bad-request',
  429: 'rate-limit',
};

const MESSAGES: Readonly<Record<ProviderErrorCode, string>> = {
  'bad-request': 'The TTS provider refused the request.',
  auth: 'The TTS provider did not accept the API key.',
  'rate-limit': 'The TTS provider is over its rate limit.',
  server: 'The TTS provider failed.',
  timeout: 'The TTS provider did not answer in time.',
  connect: 'The TTS provider could not be reached.',
  'bad-response': 'The TTS provider sent something unexpected.',
  aborted: 'Speech was stopped.',
  unavailable: 'The TTS provider is not available.',
};

/**
 * An error with a message for clients. Bodies of a provider's answers may hold keys or content, so they are left out.
 * @param wantedRestMs how long the provider asks to wait. @defaultValue it does not say
 */
export function speechError(
  provider: string,
  code: ProviderErrorCode,
  cause?: unknown,
  wantedRestMs = 0,
): ProviderError {
  return new ProviderError(provider, code, MESSAGES[code], { cause, retryAfterMs: wantedRestMs });
}

/** The code of an HTTP status that is no success. */
export function codeOfStatus(status: number): ProviderErrorCode {
  return CODES[status] ?? (status >= 500 ? 'server' : 'bad-request');
}

function codeOfFailure(error: unknown): ProviderErrorCode {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof errors.HeadersTimeoutError || cause instanceof errors.BodyTimeoutError
    ? 'timeout'
    : 'connect';
}

/** A service does not send the format that it was asked for. */
export class FormatRefusal extends Error {
  override readonly name = 'FormatRefusal';
  /** Formats that it names. */
  readonly named: readonly string[];
  constructor(text: string) {
    super('The service does not send this format.');
    const known = ['wav', 'mp3', 'flac', 'opus', 'aac'];
    this.named = known.filter((format) => new RegExp(`\\b${format}\\b`, 'i').test(text));
  }
}

/** One provider's HTTP connections, kept open between sentences. */
export class SpeechHttp {
  readonly #provider: string;
  readonly #agent = outgoingAgent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: HEADERS_TIMEOUT_MS,
  });
  readonly #fetch = fetchThrough(this.#agent);

  constructor(provider: string) {
    this.#provider = provider;
  }

  /** Posts JSON and streams the answer's body within its limits. @throws ProviderError, also while the body is read. */
  async *post(
    url: URL,
    headers: Record<string, string>,
    body: unknown,
    limits: AnswerLimits,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    yield* (await this.ask(url, headers, body, limits, signal)).bytes;
  }

  /** The same, with what the service says that it sends. @throws ProviderError; its cause tells what was refused. */
  async ask(
    url: URL,
    headers: Record<string, string>,
    body: unknown,
    limits: AnswerLimits,
    signal: AbortSignal,
  ): Promise<SpeechResponse> {
    try {
      const response = await limitFetch(this.#fetch, limits)(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        signal,
      });
      if (!response.ok) throw await this.#refusal(response);
      if (!response.body) throw speechError(this.#provider, 'bad-response');
      return {
        contentType: response.headers.get('content-type') ?? '',
        bytes: this.#translated(response.body as AsyncIterable<Uint8Array>, signal),
      };
    } catch (error) {
      throw this.#failure(error, signal);
    }
  }

  async #refusal(response: Response): Promise<ProviderError> {
    // Only whether it is about the format is looked at, and nothing of it is kept.
    const text = response.status === 400 || response.status === 422 ? await response.text() : '';
    if (text === '') await response.body?.cancel();
    const cause = /response_format|audio format|output format/i.test(text) ? new FormatRefusal(text) : undefined;
    const wantedRestMs = retryAfterMs(response.headers.get('retry-after'), Date.now());
    return speechError(this.#provider, codeOfStatus(response.status), cause, wantedRestMs);
  }

  async *#translated(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      yield* bytes;
    } catch (error) {
      throw this.#failure(error, signal);
    }
  }

  #failure(error: unknown, signal: AbortSignal): ProviderError {
    if (error instanceof ProviderError) return error;
    if (signal.aborted) return speechError(this.#provider, 'aborted', error);
    return (
      AnswerLimitError.in(error)?.asProviderError(this.#provider, 'The TTS provider') ??
      speechError(this.#provider, codeOfFailure(error), error)
    );
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}
