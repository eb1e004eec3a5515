import { connectionFailure } from '../http/connection-failure.ts';
import { retryAfterMs } from '../http/retry-after.ts';
import { ProviderError, type ProviderErrorCode } from '../ports.ts';
import { isFiltered, isOfKey, isOfTemplate, isTooLong } from './request/repair.ts';
import type { Refusal } from './request/refusal.ts';
import { NAME_OF_FORM, type WireForm } from './wire/wire-form.ts';

/**
 * Turns errors of HTTP requests into sentences. `message` contains neither the provider's own text (it may quote the
 * conversation or the key) nor addresses. `reason` has the provider's text without those, for the person who configured
 * the endpoint.
 */

export interface RefusalContext {
  readonly secret: string | null;
  /** What was asked: the provider may quote it. */
  readonly said: readonly string[];
  /** In which format it was asked. */
  readonly form?: WireForm;
  readonly cause?: unknown;
}

export function errorForRefusal(
  provider: string,
  refusal: Refusal,
  { secret, said, form, cause }: RefusalContext,
): ProviderError {
  const [code, sentence] = describe(refusal);
  const details = [plain(refusal.code), plain(refusal.param)].filter(Boolean).join(': ');
  const reason = quotable(refusal.message, secret, said);
  const answered = refusal.status === null ? 'It answered with an error' : `It answered ${refusal.status}`;
  return new ProviderError(
    provider,
    code,
    `${sentence} ${answered}${details === '' ? '' : ` (${details})`}.${otherFormat(refusal, form)}`,
    {
      cause,
      retryAfterMs: retryAfterMs(refusal.retryAfter, Date.now()),
      ...(reason !== '' && { reason }),
    },
  );
}

/** What a refusal says of the format that was chosen, when the server speaks another one. */
function otherFormat({ status, form: answered }: Refusal, asked: WireForm | undefined): string {
  if (asked === undefined || !answered || status === null || NAME_OF_FORM[asked] === answered) return '';
  // Gateways with a way for Claude's requests answer errors in OpenAI's form.
  const isCertain = answered === 'OpenAI' ? [404, 405] : [400, 404, 405, 422];
  if (!isCertain.includes(status)) return '';
  if (answered === 'Bedrock')
    return ' This is Bedrock itself, whose format is not spoken: use its address for OpenAI’s format.';
  return ` The server speaks the format of ${answered}, and was asked in that of ${NAME_OF_FORM[asked]}: change the format of this LLM.`;
}

/** The same, of an answer of which only the status is known. @param detail its machine-readable reason. */
export function errorForStatus(
  provider: string,
  status: number,
  detail?: string | null,
  { cause, headers }: { readonly cause?: unknown; readonly headers?: Headers } = {},
): ProviderError {
  const refusal = { status, code: detail ?? null, param: null, message: '', numbers: {} };
  const retryAfter = headers?.get('retry-after') ?? null;
  return errorForRefusal(provider, { ...refusal, retryAfter }, { secret: null, said: [], cause });
}

/** @returns a machine-readable word; null for other texts. */
function plain(text: string | null): string | null {
  return text !== null && /^[A-Za-z0-9_.[\]-]{1,64}$/.test(text) ? text : null;
}

/** Longest part of a provider's sentence that is told. */
const MAX_REASON_LENGTH = 300;
/** A shorter text of the conversation may stand in any sentence. */
const MIN_QUOTE_LENGTH = 4;

/** A shorter key is a word that a local server takes for one: "to…ens" was said of the key "k". */
const MIN_KEY_LENGTH = 8;
const asWord = (text: string): RegExp => new RegExp(`(?<!\\w)${RegExp.escape(text)}(?!\\w)`, 'g');

/** The provider's words without the key, addresses, and what was said in the conversation. */
function quotable(message: string, secret: string | null, said: readonly string[]): string {
  // Proxies answer with a page.
  let text = message.slice(0, 4 * MAX_REASON_LENGTH).replaceAll(/<[a-z!/?][^<>]{0,200}>/gi, ' ');
  const quotes = said
    .flatMap((content) => [content, ...content.split('\n')])
    .map((content) => content.trim())
    .filter((content) => content.length >= MIN_QUOTE_LENGTH)
    .toSorted((a, b) => b.length - a.length);
  if (secret) text = text.replaceAll(secret.length < MIN_KEY_LENGTH ? asWord(secret) : secret, '…');
  for (const content of quotes) text = text.replaceAll(content, '…');
  text = text.replaceAll(/\b(sk|key|pk|gsk)[-_][\w*-]{6,}/gi, '…').replaceAll(/https?:\/\/\S+/g, '…');
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_REASON_LENGTH).replace(/\.$/, '');
}

function describe(refusal: Refusal): [ProviderErrorCode, string] {
  const { status, message } = refusal;
  if (isFiltered(refusal)) return ['bad-request', 'A filter of the language model refused this conversation.'];
  if (status === 401 || (status === 400 && isOfKey(refusal))) return ['auth', 'The model refused the API key.'];
  if (status === 403) return ['auth', 'The API key may not use this language model.'];
  if (status === 402) return ['auth', 'The account of the language model has no credit left.'];
  if (/No endpoints found/.test(message)) return ['bad-request', 'No provider behind the address takes the request.'];
  if (status === 404 || status === 405)
    return ['bad-request', 'The model was not found: check the URL, the model name and the format.'];
  if (status === 429) return ['rate-limit', 'The model is over its rate limit or quota.'];
  if (status === 408 || status === 504) return ['timeout', 'The model took too long.'];
  if (isTooLong(refusal)) return ['bad-request', 'The conversation is longer than the context of the model.'];
  if (status !== null && status >= 500)
    return isOfTemplate(refusal)
      ? ['bad-request', 'The chat template of the model refused the request.']
      : ['server', 'The model has a problem of its own.'];
  if (status === null) return ['server', 'The model has a problem of its own.'];
  if (status >= 400) return ['bad-request', 'The model did not accept the request.'];
  return ['bad-response', 'The model did not answer with a stream: check the URL.'];
}

/** The error for a request without an answer: name, connection, TLS. */
export function errorForConnection(provider: string, error: unknown): ProviderError {
  return new ProviderError(provider, 'connect', 'The model could not be reached.', {
    cause: error,
    reason: connectionFailure(error),
  });
}

/** The error for a stream that cannot be understood, or breaks off. */
export function errorForStream(provider: string, error: unknown): ProviderError {
  return new ProviderError(provider, 'bad-response', 'The answer of the model broke off or was not understood.', {
    cause: error,
  });
}
