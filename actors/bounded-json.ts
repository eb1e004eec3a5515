/**
 * JSON from outside (clients, language models, webhooks), read with limits on its nesting and on the number of its
 * values. `JSON.parse` itself takes any depth, but everything that walks the value afterwards recurses: 5,000 levels
 * end in a full stack. And every walk takes time in which no packet is sent.
 */

/**
 * Levels of objects and arrays. LLM providers accept schemas of tools with 10 levels of nesting, which are about 30
 * levels of JSON; a request that carries such a schema inside a persona configuration adds 5.
 */
export const MAX_JSON_DEPTH = 64;
/**
 * Items of arrays and entries of objects, of the whole text. An object of so many keys takes 10 to 30 ms of the event
 * loop to be read and checked, one of 100,000 keys, which fit into a body of 1 MB, 60 to 270 ms. A persona with a
 * hundred tools has some thousands.
 */
export const MAX_JSON_VALUES = 20_000;
/** Names of the path that an error shows, each so long at most: enough to find the place. */
const SHOWN_NAMES = 4;
const SHOWN_NAME_CHARS = 64;

/** The message says what the value does wrong, `is …` or `goes …`. */
export class JsonLimitError extends Error {
  override readonly name = 'JsonLimitError';
  /** Dotted, cut after a few names. */
  readonly path: string;
  constructor(problem: string, path: string) {
    super(problem);
    this.path = path;
  }
}

/**
 * Reads JSON whose depth and size are checked before it is parsed, without recursion.
 * @throws JsonLimitError; SyntaxError when it is not JSON.
 */
export function parseBoundedJson(
  text: string,
  reviver?: (this: unknown, key: string, value: unknown) => unknown,
): unknown {
  const over = firstOver(text);
  if (over !== null) throw new JsonLimitError(over.problem, pathTo(text, over.at));
  return JSON.parse(text, reviver);
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Where a limit is passed first. What it says of text that is not JSON means nothing. */
function firstOver(text: string): { readonly at: number; readonly problem: string } | null {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = stringEnd(text, at);
    else if (char === OPEN_OBJECT || char === OPEN_ARRAY) depth += 1;
    else if (char === CLOSE_OBJECT || char === CLOSE_ARRAY) depth -= 1;
    // One value behind each comma and one behind each bracket that opens: an empty container counts as if it held one.
    if (char === COMMA || char === OPEN_OBJECT || char === OPEN_ARRAY) values += 1;
    if (depth > MAX_JSON_DEPTH) return { at, problem: `is nested more than ${MAX_JSON_DEPTH} levels deep` };
    if (values > MAX_JSON_VALUES)
      return { at, problem: `goes beyond ${MAX_JSON_VALUES.toLocaleString('en')} values in all` };
  }
  return null;
}

/** Offset of the quote that ends the string which begins at `start`; the last offset when none does. */
function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let first = at;
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((at - first) % 2 === 0) return at;
  }
  return text.length;
}

/** The names and indexes of the containers that are open at an offset. */
function pathTo(text: string, end: number): string {
  const path: (string | number)[] = [];
  for (let at = 0; at < end; at += 1) {
    const char = text.charCodeAt(at);
    const innermost = path.at(-1);
    if (char === QUOTE) {
      const close = stringEnd(text, at);
      if (isKey(text, close) && path.length > 0)
        path[path.length - 1] = text.slice(at + 1, Math.min(close, at + 1 + SHOWN_NAME_CHARS));
      at = close;
    } else if (char === OPEN_OBJECT) path.push('');
    else if (char === OPEN_ARRAY) path.push(0);
    else if (char === CLOSE_OBJECT || char === CLOSE_ARRAY) path.pop();
    else if (char === COMMA && typeof innermost === 'number') path[path.length - 1] = innermost + 1;
  }
  return path.slice(0, SHOWN_NAMES).join('.');
}

function isKey(text: string, close: number): boolean {
  let at = close + 1;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return text.charCodeAt(at) === COLON;
}
