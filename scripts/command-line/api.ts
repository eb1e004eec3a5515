/** What the commands ask of a service. */
export interface Api {
  /** @param body JSON, or a form. @returns the body of the answer. @throws CommandError with the sentence of a refusal. */
  send<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Tells people how far a long list is read. */
  readonly note?: (line: string) => void;
}

/** A whole answer: a page of a hundred objects has less than 2 MB. */
const MAX_ANSWER_SIZE = 16 * 1024 * 1024;
/** With all that is sent: a document may have 50 MB. */
const WHOLE_ANSWER_MS = 5 * 60_000;
const UNFINISHED = 'did not finish its answer.';

/** Something that whoever has called the command can put right. */
export class CommandError extends Error {
  /** Of the answer. Null: there was none, or this is no refusal. */
  readonly status: number | null;
  /** How long the service asks to wait, seconds; null when it does not say. */
  readonly retryAfter: number | null;
  constructor(
    message: string,
    { status = null, retryAfter = null }: Partial<Pick<CommandError, 'status' | 'retryAfter'>> = {},
  ) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** @param url of the service, with or without a slash at its end. @param withinMs for each answer, from its request on. */
export function apiOf(url: string, key: string, withinMs = WHOLE_ANSWER_MS): Api {
  const base = url.replace(/\/+$/, '');
  return {
    async send<T>(method: string, path: string, body?: unknown): Promise<T> {
      const isJson = body !== undefined && !(body instanceof FormData);
      const response = await fetch(base + path, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(isJson && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as FormData) }),
        signal: AbortSignal.timeout(withinMs),
      }).catch((error: Error) => {
        throw new CommandError(`${base} ${error.name === 'TimeoutError' ? UNFINISHED : 'cannot be reached.'}`);
      });
      const { status } = response;
      const text = await textOf(response, base);
      if (response.ok) return (text === '' ? null : jsonOf(text, base)) as T;
      const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
      throw new CommandError(`${method} ${path}: ${sentenceOf(text) ?? `status ${status}`}`, {
        status,
        retryAfter: Number.isFinite(retryAfter) ? retryAfter : null,
      });
    },
  };
}

/** @throws CommandError when it is too large, or comes too slowly. */
async function textOf(response: Response, base: string): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of response.body ?? []) {
      bytes += part.byteLength;
      if (bytes > MAX_ANSWER_SIZE) break;
      parts.push(part);
    }
  } catch {
    throw new CommandError(`${base} ${UNFINISHED}`);
  }
  if (bytes > MAX_ANSWER_SIZE) throw new CommandError(`${base} answers with more than 16 MiB.`);
  return Buffer.concat(parts).toString();
}

/** @throws CommandError when it is none: whoever answers there is no such service. */
function jsonOf(text: string, base: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${base} does not answer with JSON.`);
  }
}

function sentenceOf(text: string): string | null {
  try {
    const { summary, message } = JSON.parse(text) as { summary?: string; message?: string };
    return summary ?? message ?? null;
  } catch {
    return null;
  }
}

/** @param name of a persona, or its id. @returns its id. @throws CommandError */
export async function personaNamed(api: Api, name: string): Promise<string> {
  if (/^[\da-f-]{36}$/i.test(name)) return name;
  const found = await api.send<{ data: { id: string; name: string }[] }>(
    'GET',
    `/v1/personas?perPage=100&search=${encodeURIComponent(name)}`,
  );
  const same = found.data.filter((one) => one.name === name);
  if (same.length === 1) return same[0]!.id;
  throw new CommandError(
    same.length === 0 ? `There is no persona "${name}".` : `${same.length} personas are called "${name}": give the id.`,
  );
}
