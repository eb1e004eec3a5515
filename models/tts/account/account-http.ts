import { fetch, type FormData } from 'undici';
import type { z } from 'zod';
import { connectionFailure } from '../../http/connection-failure.ts';
import { limitFetch } from '../../http/limit-fetch.ts';
import { outgoingAgent } from '../../http/outgoing.ts';
import type { AnswerLimits } from '../../http/answer-limits.ts';
import { VoiceAccountError, type AccountProblem } from './voice-account.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** A page of a hundred voices has up to 500 kB of JSON. */
const JSON_LIMITS: AnswerLimits = { bodyBytes: 8 * 1024 * 1024, unit: null, wholeMs: 15_000 };
/** A recording is sent, and then worked on. */
const UPLOAD_LIMITS: AnswerLimits = { ...JSON_LIMITS, wholeMs: 60_000 };

/** What an error means. `because` continues the name of the service: "… does not include this". */
export interface Explanation {
  readonly problem: AccountProblem;
  readonly because: string;
}

export interface AccountService {
  /** As people know it: it begins the sentences of errors. */
  readonly displayName: string;
  /** With a slash at the end. */
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** @param body of an error, from its JSON. @returns null: the status says enough. */
  explain?(body: unknown): Explanation | null;
}

/** Requests to the account of a TTS service, with limits for their answers. */
export class AccountHttp {
  readonly #service: AccountService;
  readonly #agent = outgoingAgent({ connect: { timeout: CONNECT_TIMEOUT_MS }, headersTimeout: UPLOAD_LIMITS.wholeMs });
  readonly #fetch = ((url: URL, init: RequestInit) =>
    fetch(url, { ...init, dispatcher: this.#agent } as never)) as unknown as typeof globalThis.fetch;

  constructor(service: AccountService) {
    this.#service = service;
  }

  /** @param path without a slash at the beginning. @throws VoiceAccountError */
  get<T>(path: string, query: Readonly<Record<string, string>>, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> {
    const url = this.#url(path);
    url.search = new URLSearchParams(query).toString();
    return this.#json(url, { method: 'GET', signal }, JSON_LIMITS, schema);
  }

  /** Sends a form; its files are read from disk as they are sent. @throws VoiceAccountError */
  post<T>(path: string, form: FormData, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> {
    return this.#json(this.#url(path), { method: 'POST', body: form as never, signal }, UPLOAD_LIMITS, schema);
  }

  /** What is gone already counts as deleted. @throws VoiceAccountError */
  async delete(path: string, signal: AbortSignal): Promise<void> {
    const response = await this.#ask(this.#url(path), { method: 'DELETE', signal }, JSON_LIMITS);
    if (response.status !== 404 && !response.ok) throw await this.#refusal(response);
    await response.body?.cancel();
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #json<T>(url: URL, init: RequestInit, limits: AnswerLimits, schema: z.ZodType<T>): Promise<T> {
    const response = await this.#ask(url, init, limits);
    if (!response.ok) throw await this.#refusal(response);
    try {
      return schema.parse(await response.json());
    } catch (error) {
      throw this.#error('down', 'sent something unexpected', error);
    }
  }

  async #ask(url: URL, init: RequestInit, limits: AnswerLimits): Promise<Response> {
    try {
      const { headers } = this.#service;
      return await limitFetch(this.#fetch, limits)(url, { ...init, headers, redirect: 'manual' });
    } catch (error) {
      throw this.#error('down', `could not be reached: ${connectionFailure(error)}`, error);
    }
  }

  async #refusal(response: Response): Promise<VoiceAccountError> {
    const { status } = response;
    const body: unknown = await response.json().catch(() => null);
    const known = this.#service.explain?.(body) ?? byStatus(status);
    return this.#error(known.problem, known.because);
  }

  #error(problem: AccountProblem, because: string, cause?: unknown): VoiceAccountError {
    return new VoiceAccountError(problem, `${this.#service.displayName} ${because}.`, { cause });
  }

  #url(path: string): URL {
    return new URL(path, this.#service.baseUrl);
  }
}

function byStatus(status: number): Explanation {
  switch (status) {
    case 401:
      return { problem: 'key', because: 'did not accept the API key of this deployment' };
    case 402:
      return { problem: 'plan', because: 'does not include this in the plan of this deployment' };
    case 403:
      return { problem: 'plan', because: 'does not allow this to the API key of this deployment' };
    case 413:
      return { problem: 'request', because: 'does not accept a recording of this size' };
    case 429:
      return { problem: 'busy', because: 'gets too many requests from this deployment at the moment' };
    default:
      return status >= 400 && status < 500
        ? { problem: 'request', because: 'did not accept the request' }
        : { problem: 'down', because: `answered with status ${status}` };
  }
}
