import type { LlmRequest } from '../../ports.ts';
import type { Change } from './change.ts';
import type { EndpointMemory } from './endpoint-memory.ts';
import { KNOWN_REFUSALS, NOWHERE, TOO_LONG, type KnownRefusal, type Remedy } from './known-refusals.ts';
import { type Refusal, WEB_PAGE } from './refusal.ts';
import { shortenConversation, sizeOf } from './shorten.ts';

export type Body = Readonly<Record<string, unknown>>;

/** Limit of remedies for one request, because users wait meanwhile. A refusal comes in milliseconds. */
const MAX_REMEDIES = 8;
/** OpenRouter: "You requested up to 65536 tokens, but can only afford 2000." */
const CAN_AFFORD = /can only afford \d/i;
/**
 * OpenAI, Groq: "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 40000". Waiting does not
 * help.
 */
const TOO_LARGE = /request too large/i;
/** Refusals that no other request can avoid: key, credit, rights, time, rate. */
const NO_REMEDY: ReadonlySet<number> = new Set([401, 402, 403, 408, 429]);
const IS_NONE = 'not found|does not exist|not exist|unknown|not available|no such|invalid model';
const NO_SUCH_MODEL = new RegExp(
  `(?:model|deployment).{0,80}(${IS_NONE})|invalid model|no such model|model_not_found`,
  'is',
);
/** Fields without which there is no request. */
const ESSENTIAL: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'contents',
  'stream',
  'system',
  'systemInstruction',
  'tools',
  'url',
]);
/** What is tried when an endpoint does not say what it refuses; kept only if it helps. */
const UNTOLD: readonly Remedy[] = [
  'without:stream_options',
  'calls-one-by-one',
  'strict-schemas',
  'calls-as-text',
  'prompt-in-user',
  'without-tools',
];
/** Share of a conversation that is kept when it is not known how much too long it is. */
const KEPT = 0.6;
/** Tokens are counted by the endpoint and characters here, so there is some room between. */
const SAFETY = 0.85;

/** Repairs one request that an endpoint refuses. It remembers which remedies were tried. */
export class RequestRepair {
  readonly #memory: EndpointMemory;
  readonly #request: LlmRequest;
  readonly #bodyOf: () => Body;
  readonly #tried = new Set<string>();
  #last: { readonly change: Change; readonly words: string } | null = null;
  #remedies = 0;

  /** @param bodyOf makes the request's body, with its URL, from what the memory has now. */
  constructor(memory: EndpointMemory, request: LlmRequest, bodyOf: () => Body) {
    this.#memory = memory;
    this.#request = request;
    this.#bodyOf = bodyOf;
  }

  /** @returns whether the request has changed and is to be sent again. */
  after(refusal: Refusal): boolean {
    const words = wordsOf(refusal);
    // The same refusal again: what was changed did not help.
    if (this.#last?.words === words) this.#memory.takeBack(this.#last.change);
    this.#last = null;
    if (!isRepairable(refusal) || this.#remedies >= MAX_REMEDIES) return false;
    const known = knownRefusal(refusal, words);
    // Conversations differ in length, and some refusals come by chance: neither is hopeless for good.
    const passes = known?.remedies.some((remedy) => remedy === 'shorter' || remedy === 'again') === true;
    if (!passes && this.#memory.isHopeless(words)) return false;
    const untold =
      refusal.status !== null && refusal.status >= 400 && refusal.status < 500 && !isNowhere(refusal) ? UNTOLD : [];
    for (const remedy of [...(known?.remedies ?? []), ...untold]) {
      if (!this.#apply(remedy, refusal, words)) continue;
      this.#remedies += 1;
      return true;
    }
    this.#memory.rememberHopeless(words);
    return false;
  }

  /** The answer had reasoning and no words. @returns as `after` does. */
  afterThoughts(): boolean {
    for (const change of ['room-to-think', 'less-thinking'] as const) {
      if (this.#memory.has(change)) continue;
      const before = JSON.stringify(this.#bodyOf());
      this.#memory.remember(change);
      if (JSON.stringify(this.#bodyOf()) !== before) return true;
      this.#memory.takeBack(change);
    }
    return false;
  }

  #apply(remedy: Remedy, refusal: Refusal, words: string): boolean {
    if (remedy === 'shorter') return this.#shorten(refusal);
    if (remedy === 'again') return this.#once('again');
    const change = this.#changeFor(remedy, refusal);
    if (change === null || !this.#once(change) || this.#memory.has(change)) return false;
    const before = JSON.stringify(this.#bodyOf());
    this.#memory.remember(change);
    if (JSON.stringify(this.#bodyOf()) === before) {
      this.#memory.takeBack(change);
      return false;
    }
    this.#last = { change, words };
    return true;
  }

  #changeFor(remedy: Exclude<Remedy, 'shorter' | 'again'>, refusal: Refusal): Change | null {
    if (remedy === 'fewer-tokens') {
      const tokens = tokensIn(refusal);
      return tokens === null ? null : `most-tokens:${tokens}`;
    }
    if (remedy === 'without-field') {
      const field = fieldIn(refusal, this.#bodyOf());
      return field === null ? null : `without:${field}`;
    }
    if (remedy !== 'without-one-tool') return remedy;
    const tool = toolIn(
      refusal,
      this.#request.tools.map(({ name }) => name),
    );
    return tool === null ? null : `without-tool:${tool}`;
  }

  #shorten(refusal: Refusal): boolean {
    const { messages } = this.#request;
    const now = this.#memory.roomChars === null ? messages : shortenConversation(messages, this.#memory.roomChars);
    const room = Math.floor(sizeOf(now) * shareIn(refusal));
    const next = shortenConversation(messages, room);
    if (sizeOf(next) >= sizeOf(now)) return false;
    this.#memory.rememberRoom(room);
    return true;
  }

  #once(what: string): boolean {
    if (this.#tried.has(what)) return false;
    this.#tried.add(what);
    return true;
  }
}

function knownRefusal({ status, code }: Refusal, words: string): Pick<KnownRefusal, 'remedies'> | undefined {
  if (status === 413) return { remedies: ['shorter'] };
  if (code === WEB_PAGE || status === 405) return { remedies: NOWHERE };
  const known = KNOWN_REFUSALS.find(({ says }) => says.test(words));
  return known ?? (status === 404 ? { remedies: NOWHERE } : undefined);
}

/** The address is wrong, whatever is asked there. */
const isNowhere = ({ status }: Refusal): boolean => status === 404 || status === 405;

function isRepairable(refusal: Refusal): boolean {
  const { status, message, code } = refusal;
  // What is left of a credit may be enough for a shorter answer.
  const maySend = (status === 402 && CAN_AFFORD.test(message)) || (status === 429 && TOO_LARGE.test(message));
  if (status !== null && NO_REMEDY.has(status) && !maySend) return false;
  if (NO_SUCH_MODEL.test(`${code ?? ''} ${message}`) || isFiltered(refusal) || isOfKey(refusal)) return false;
  // A server with a problem of its own says nothing of the request. Templates that refuse one answer 500, too, and so
  // does Ollama to what is too long.
  return status === null || status < 500 || isOfTemplate(refusal) || isTooLong(refusal);
}

/** Azure refuses what its filter does not like: the same request stays refused. */
export function isFiltered({ code, message }: Refusal): boolean {
  return /content.?filter|ResponsibleAI|content management policy|data_inspection_failed|moderation/i.test(
    `${code} ${message}`,
  );
}

/** Gemini answers 400 where others answer 401. */
export function isOfKey({ code, message }: Refusal): boolean {
  // LiteLLM without a database, to a key that is not its own.
  if (code === 'no_db_connection') return true;
  return /\b(?:api.?key|token)\b[^.]{0,20}(?:not valid|invalid|incorrect)|(?:invalid|incorrect)\b[^.]{0,20}\bapi.?key/i.test(
    message,
  );
}

/** The conversation is longer than the context of the model. */
export function isTooLong({ status, code, message }: Refusal): boolean {
  return status === 413 || TOO_LONG.test(`${code ?? ''} ${message}`);
}

/** llama.cpp answers 500 where its chat template refuses a request. */
export function isOfTemplate({ message }: Refusal): boolean {
  return /jinja|template|raise_exception|roles? must|system role|system message|(single|one) tool.?call|alternat/i.test(
    message,
  );
}

function wordsOf({ code, param, message }: Refusal): string {
  return [code, param, message].filter(Boolean).join(' ');
}

/** @returns the optional field of the body that is refused: by the parameter, or named in the message. */
function fieldIn({ param, message }: Refusal, body: Body): string | null {
  const nested = Object.entries(body).flatMap(([name, value]) =>
    name === 'generationConfig' && typeof value === 'object' && value !== null
      ? Object.keys(value).map((inner) => `${name}.${inner}`)
      : [name],
  );
  const fields = nested.filter((name) => !ESSENTIAL.has(name));
  const last = (name: string): string => name.split('.').at(-1) ?? name;
  const named = param?.split(/[.[]/).find((part) => fields.some((name) => last(name) === part));
  const found = fields.find((name) => (named === undefined ? hasWord(message, last(name)) : last(name) === named));
  return found ?? null;
}

/** An answer of fewer tokens is not worth asking for. */
const MIN_TOKENS = 16;

/** @returns how many tokens of an answer an endpoint gives: the smaller of the numbers that it names. */
function tokensIn({ message }: Refusal): number | null {
  const numbers = [...message.matchAll(/\d[\d,]*/g)].map(([text]) => Number(text.replaceAll(',', '')));
  const smallest = Math.min(...numbers.filter((tokens) => tokens >= MIN_TOKENS));
  return /token|afford/i.test(message) && Number.isFinite(smallest) ? smallest : null;
}

function toolIn({ param, message }: Refusal, names: readonly string[]): string | null {
  const text = `${param ?? ''} ${message}`;
  const numbered = /tools?[.[](\d+)|function_declarations\[(\d+)/i.exec(text);
  const named = names.toSorted((a, b) => b.length - a.length).find((name) => hasWord(text, name));
  return named ?? (numbered === null ? null : (names[Number(numbered[1] ?? numbered[2])] ?? null));
}

function hasWord(text: string, word: string): boolean {
  return text.split(/[^A-Za-z0-9_.-]+|\.(?=\s|$)/).some((part) => part === word);
}

/** @returns which share of the conversation fits, from 0 to 1: by the numbers that came with the refusal. */
function shareIn({ message, numbers }: Refusal): number {
  const told = [...message.matchAll(/\d[\d,]{2,}/g)].map(([text]) => Number(text.replaceAll(',', '')));
  const [has, may] =
    numbers['n_prompt_tokens'] !== undefined && numbers['n_ctx'] !== undefined
      ? [numbers['n_prompt_tokens'], numbers['n_ctx']]
      : [Math.max(...told), told.length < 2 ? Number.NaN : Math.min(...told)];
  const share = (may / has) * SAFETY;
  return share > 0.02 && share < KEPT ? share : KEPT;
}
