/** What an endpoint says when it refuses a request, whatever form its error has. */
export interface Refusal {
  /** HTTP status, of the answer or inside of a stream. Null when there is none. */
  readonly status: number | null;
  /** Machine-readable reason, such as `model_not_found`. */
  readonly code: string | null;
  /** Name of the parameter that is refused. */
  readonly param: string | null;
  /** The endpoint's own words. They may quote the conversation. */
  readonly message: string;
  /** Other numbers that came with it, such as `n_ctx` of llama.cpp. */
  readonly numbers: Readonly<Record<string, number>>;
  /** Whose errors have this form, where it is one of these. */
  readonly form?: 'OpenAI' | 'Anthropic' | 'Bedrock' | null;
  /** The header of this name. */
  readonly retryAfter?: string | null;
}

/** Reason of a refusal: a page for people is at the address. */
export const WEB_PAGE = 'web_page';

/** HTTP status for reasons that are words (https://platform.claude.com/docs/en/api/errors, Google's `google.rpc.Code`). */
const STATUS_OF: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  api_key_invalid: 401,
  invalid_argument: 400,
  validation: 422,
  failed_precondition: 400,
  badrequesterror: 400,
  context_length_exceeded: 400,
  exceed_context_size_error: 400,
  authentication_error: 401,
  unauthenticated: 401,
  invalid_api_key: 401,
  billing_error: 402,
  insufficient_quota: 402,
  payment_required: 402,
  permission_error: 403,
  permission_denied: 403,
  not_found_error: 404,
  not_found: 404,
  model_not_found: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  resource_exhausted: 429,
  api_error: 500,
  server_error: 500,
  internal: 500,
  internal_server_error: 500,
  unavailable: 503,
  timeout_error: 504,
  deadline_exceeded: 504,
  overloaded_error: 529,
};

/** Deepest place where an error is looked for: gateways wrap the error of a provider. */
const MAX_DEPTH = 5;

/** @returns the refusal in an answer's body; `status` of the answer counts more than that in the body. */
export function refusalIn(status: number | null, body: string): Refusal {
  return refusalOf(parsed(body) ?? body, status);
}

/** @returns the refusal that this frame of a stream is; null when it is none. */
export function refusalInFrame(frame: Readonly<Record<string, unknown>>): Refusal | null {
  const hasAnswer = (frame['choices'] ?? frame['candidates'] ?? null) !== null;
  const isError =
    isTold(frame['error']) ||
    frame['object'] === 'error' ||
    frame['type'] === 'error' ||
    frame['event'] === 'error' ||
    isStatus(Number(frame['statusCode'])) ||
    typeof frame['errorMessage'] === 'string' ||
    (!hasAnswer && (frame['detail'] !== undefined || typeof frame['message'] === 'string' || isWrapped(frame)));
  return isError ? refusalOf(frame, null) : null;
}

/** Some servers send an empty error with each piece of an answer. */
const isTold = (error: unknown): boolean =>
  Boolean(error) && !(typeof error === 'object' && Object.keys(error!).length === 0);

/** Gateways that answer 200 to everything say within it that something went wrong. */
function isWrapped({ success, msg, error_msg: baidu, base_resp: minimax }: Readonly<Record<string, unknown>>): boolean {
  const code = (minimax as { status_code?: unknown } | null | undefined)?.status_code;
  return success === false || typeof (msg ?? baidu) === 'string' || (typeof code === 'number' && code !== 0);
}

function refusalOf(value: unknown, status: number | null): Refusal {
  const found = { texts: [] as string[], codes: [] as string[], numbers: {} as Record<string, number>, param: '' };
  let inner: number | null = null;
  const look = (node: unknown, key: string, depth: number): void => {
    if (depth > MAX_DEPTH || node === null || node === undefined) return;
    if (typeof node === 'number') {
      if (isStatus(node) && /^(code|status|status_code|statusCode|http_code)$/.test(key)) inner ??= node;
      else found.numbers[key] = node;
    } else if (typeof node === 'string') {
      const nested = /^(message|raw|error|body)$/.test(key) ? parsed(node) : null;
      if (nested !== null) return look(nested, key, depth + 1);
      if (/^(code|type|status|error_code|error_type|reason)$/.test(key)) {
        if (isStatus(Number(node))) inner ??= Number(node);
        else found.codes.push(node);
      } else if (key === 'param' || key === 'parameter') found.param ||= node;
      else if (
        /^(message|msg|error_msg|errorMessage|errorText|status_msg|detail|error|raw|data|content|description|failed_generation|)$/.test(
          key,
        )
      )
        found.texts.push(node);
    } else if (key === 'loc' && Array.isArray(node)) found.param ||= node.join('.');
    else if (Array.isArray(node)) for (const one of node.slice(0, 8)) look(one, key, depth + 1);
    else if (typeof node === 'object') for (const [name, one] of Object.entries(node)) look(one, name, depth + 1);
  };
  look(value, '', 0);
  const all = found.codes.map((code) => STATUS_OF[code.toLowerCase()]).filter((code) => code !== undefined);
  const named = all.find((code) => code === 401) ?? all[0] ?? null;
  const useful = found.codes.find((code) => !/^(error|invalid_request_error|BadRequestError)$/.test(code));
  const told = status !== null && status >= 400 ? status : (inner ?? named ?? status);
  return {
    // Google answers 400 to a key that it does not know.
    status: named === 401 ? 401 : told,
    code: useful ?? found.codes[0] ?? null,
    param: found.param === '' ? null : found.param,
    message: [...new Set(found.texts)].join(' '),
    numbers: found.numbers,
    form: formOf(value),
  };
}

function formOf(value: unknown): Refusal['form'] {
  const { type, error, __type: ofAmazon, Output: output } = (value ?? {}) as Record<string, unknown>;
  if (typeof ofAmazon === 'string' || output !== undefined) return 'Bedrock';
  if (typeof error !== 'object' || error === null) return null;
  if (type === 'error' && 'type' in error && !('code' in error)) return 'Anthropic';
  return 'message' in error && 'type' in error && ('param' in error || 'code' in error) ? 'OpenAI' : null;
}

function isStatus(value: number): boolean {
  return Number.isInteger(value) && value >= 400 && value < 600;
}

function parsed(text: string): object | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
