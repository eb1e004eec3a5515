import type { LlmToolCall } from '../../ports.ts';
import { newCallId } from '../request/call-ids.ts';
import { cleanName } from './call-assembly.ts';

/**
 * Servers without the right parser for a model let its tool calls through as text, in the marks of the model. They are
 * never spoken: the calls are made where they can be read.
 */

/** How a leaked call begins, and how the text around it goes on. Null: it never does. One line for each dialect. */
const DIALECTS: readonly (readonly [begin: string, end: string | null])[] = [
  ['<tool_call>', '</tool_call>'], // Hermes, Qwen, GLM
  ['<tool_calls>', '</tool_calls>'],
  ['<tools>', '</tools>'],
  ['<toolcall>', '</toolcall>'],
  ['<function_call>', '</function_call>'],
  ['<function_calls>', '</function_calls>'],
  ['<functioncall>', '</functioncall>'],
  ['<function=', '</function>'], // Llama, Functionary
  ['<invoke name=', '</invoke>'],
  ['<minimax:tool_call>', '</minimax:tool_call>'],
  ['<seed:tool_call>', '</seed:tool_call>'],
  ['<TOOLCALL>', '</TOOLCALL>'], // Nemotron
  ['<|tool_call|>', null], // Granite, Phi
  ['<|tool_calls|>', null],
  ['<|tool_call>', '<tool_call|>'], // Gemma 4
  ['<|tool_call_start|>', '<|tool_call_end|>'], // LFM2
  ['<|tool_call_begin|>', null], // Kimi
  ['<|tool_calls_section_begin|>', '<|tool_calls_section_end|>'],
  ['<|START_ACTION|>', '<|END_ACTION|>'], // Command R
  ['<|python_tag|>', null], // Llama 3
  ['<|channel|>commentary to=', '<|call|>'], // gpt-oss
  ['<|function_call|>', null],
  ['<|content_invoke', null],
  ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'], // DeepSeek
  ['<｜tool▁call▁begin｜>', '<｜tool▁call▁end｜>'],
  ['<｜DSML｜', null],
  ['<|DSML|', null],
  ['[TOOL_CALLS]', null], // Mistral
  ['[TOOL_REQUEST]', '[END_TOOL_REQUEST]'],
  ['>>>functions.', null],
  ['```tool_code', '```'], // Gemma
  ['```tool_call', '```'],
];
const LONGEST_BEGIN = Math.max(...DIALECTS.map(([begin]) => begin.length));
/** A leaked call that is longer is dropped: no model writes one. */
const LONGEST_LEAK = 64 * 1024;

export interface Sifted {
  readonly text: string;
  readonly calls: readonly LlmToolCall[];
  /** Leaked calls that could not be read. */
  readonly unread: number;
}

/** Takes leaked calls out of an answer's text. */
export class LeakedCalls {
  readonly #names: ReadonlySet<string>;
  /** Text that may be the beginning of a leak, or the leak so far. */
  #held = '';
  #end: string | null | undefined = undefined;
  #begun = false;

  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
  }

  push(text: string): Sifted {
    this.#held += text;
    return this.#sift(false);
  }

  end(): Sifted {
    return this.#sift(true);
  }

  #sift(isEnd: boolean): Sifted {
    const out = { text: '', calls: [] as LlmToolCall[], unread: 0 };
    for (;;) {
      if (this.#end === undefined && !this.#free(out, isEnd)) break;
      if (this.#end !== undefined && !this.#leak(out, isEnd)) break;
    }
    return out;
  }

  /** Passes on what is no leak. @returns whether one has begun. */
  #free(out: { text: string; calls: LlmToolCall[] }, isEnd: boolean): boolean {
    if (!this.#begun && this.#isBareCall(out, isEnd)) return false;
    const found = firstBegin(this.#held);
    if (found !== null) {
      out.text += this.#pass(found.at);
      this.#end = found.end;
      return true;
    }
    out.text += this.#pass(isEnd ? this.#held.length : safeLength(this.#held));
    return false;
  }

  #pass(length: number): string {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    if (text.trim() !== '') this.#begun = true;
    return text;
  }

  /** An answer that is nothing but a call as JSON, perhaps in a code fence. @returns whether it is, or may become, one. */
  #isBareCall(out: { calls: LlmToolCall[] }, isEnd: boolean): boolean {
    const text = this.#held.trimStart();
    if (this.#names.size === 0 || !/^(\{|\[\s*\{|\[$|`{1,2}$|```)/.test(text)) return false;
    if (!isEnd) return text.length < LONGEST_LEAK;
    const calls = jsonCalls(text, this.#names).filter(({ name }) => this.#names.has(name));
    if (calls.length === 0) return false;
    out.calls.push(...calls);
    this.#held = '';
    return true;
  }

  /** @returns whether the leak is over. */
  #leak(out: { calls: LlmToolCall[]; unread: number }, isEnd: boolean): boolean {
    const end = typeof this.#end === 'string' ? this.#held.indexOf(this.#end, 1) : -1;
    if (end === -1 && !isEnd) {
      if (this.#held.length > LONGEST_LEAK) this.#held = this.#held.slice(0, LONGEST_LEAK);
      return false;
    }
    const length = end === -1 ? this.#held.length : end + String(this.#end).length;
    const calls = readLeak(this.#held.slice(0, length), this.#names);
    if (calls.length === 0) out.unread += 1;
    out.calls.push(...calls);
    this.#held = this.#held.slice(length);
    this.#end = undefined;
    return this.#held !== '';
  }
}

function firstBegin(text: string): { at: number; end: string | null } | null {
  let first: { at: number; end: string | null; length: number } | null = null;
  for (const [begin, end] of DIALECTS) {
    const at = text.indexOf(begin);
    if (at === -1 || (first !== null && (at > first.at || (at === first.at && begin.length <= first.length)))) continue;
    first = { at, end, length: begin.length };
  }
  return first;
}

/** @returns how much of the text cannot be the beginning of a leak. */
function safeLength(text: string): number {
  for (let at = Math.max(0, text.length - LONGEST_BEGIN); at < text.length; at += 1) {
    const tail = text.slice(at);
    if (DIALECTS.some(([begin]) => begin.startsWith(tail))) return at;
  }
  return text.length;
}

/** @returns the calls in it, read by the first way that gives any. */
function readLeak(text: string, names: ReadonlySet<string>): LlmToolCall[] {
  if (names.size === 0) return [];
  for (const read of [jsonCalls, namedCalls]) {
    const calls = read(text, names);
    if (calls.length > 0) return calls;
  }
  return [];
}

function call(name: string, args: unknown, names: ReadonlySet<string>): LlmToolCall {
  const text = typeof args === 'string' ? args : JSON.stringify(args ?? {});
  return { id: newCallId(), name: cleanName(name, names), arguments: text.trim() === '' ? '{}' : text };
}

/** `{"name": …, "arguments": …}`, alone, in a list, or one after the other. */
function jsonCalls(text: string, names: ReadonlySet<string>): LlmToolCall[] {
  const calls: LlmToolCall[] = [];
  for (const { value } of jsonValues(text)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      const node = (one?.function ?? one?.function_call ?? one) as Record<string, unknown>;
      const name = node?.['name'] ?? node?.['tool_name'] ?? node?.['tool'] ?? one?.function_name;
      if (typeof name !== 'string') continue;
      const args = node['arguments'] ?? node['parameters'] ?? node['args'] ?? node['input'] ?? node['tool_input'];
      calls.push(call(name, args, names));
    }
  }
  return calls;
}

/** The name of a tool, and after it its arguments: JSON, tags, or as in Python. */
function namedCalls(text: string, names: ReadonlySet<string>): LlmToolCall[] {
  const pattern = [...names]
    .toSorted((a, b) => b.length - a.length)
    .map(escaped)
    .join('|');
  const found = [...text.matchAll(new RegExp(`(?<![A-Za-z0-9_])(${pattern})(?![A-Za-z0-9_])`, 'g'))];
  return found.flatMap((match, at) => {
    const rest = text.slice(match.index + match[0].length, found[at + 1]?.index ?? text.length);
    const args = argumentsIn(rest);
    return args === null ? [] : [call(match[1] ?? '', args, names)];
  });
}

function argumentsIn(text: string): Record<string, unknown> | null {
  const json = jsonValues(text).find(({ value }) => typeof value === 'object' && !Array.isArray(value));
  if (json !== undefined) return json.value as Record<string, unknown>;
  return (
    taggedArguments(text) ??
    pythonArguments(text) ??
    gemmaArguments(text) ??
    (/^\W*[\w/｜|▁ ]*\W*$/u.test(text) ? {} : null)
  );
}

/** `<parameter=city>Rome</parameter>`, `<parameter name="city">`, `<arg_key>city</arg_key><arg_value>Rome</arg_value>`. */
function taggedArguments(text: string): Record<string, unknown> | null {
  const pairs = [
    ...text.matchAll(/<arg_key>\s*([^<]+?)\s*<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>/g),
    ...text.matchAll(/<[^<>\s=]*parameter(?:=|\s+name=)["']?([\w.-]+)["']?[^>]*>([\s\S]*?)<\/[^<>]*parameter>/g),
  ];
  if (pairs.length === 0) pairs.push(...text.matchAll(/<([A-Za-z_][\w.-]*)>([^<]*)<\/\1>/g));
  return pairs.length === 0
    ? null
    : Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, valueOf(value.replace(/^\n|\n$/g, ''))]));
}

/** `(city="Rome", days=3)` */
function pythonArguments(text: string): Record<string, unknown> | null {
  const inside = /^\s*\(([\s\S]*)\)/.exec(text)?.[1];
  if (inside === undefined) return null;
  const pairs = inside.matchAll(/(\w+)\s*=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\[[^\]]*\]|\{[^}]*\}|[^,\s)]+)/g);
  return Object.fromEntries([...pairs].map(([, name = '', value = '']) => [name, valueOf(pythonValue(value))]));
}

function pythonValue(text: string): string {
  if (text.startsWith("'")) return JSON.stringify(text.slice(1, -1).replaceAll("\\'", "'"));
  return text
    .replace(/^True$/, 'true')
    .replace(/^False$/, 'false')
    .replace(/^None$/, 'null');
}

/** `{city:<|"|>Rome<|"|>,days:3}` */
function gemmaArguments(text: string): Record<string, unknown> | null {
  const inside = /^\s*\{([\s\S]*)\}/.exec(text)?.[1];
  if (inside === undefined) return null;
  const pairs = inside.matchAll(/(\w+)\s*:\s*(?:<\|"\|>([\s\S]*?)<\|"\|>|([^,{}]+))/g);
  return Object.fromEntries(
    [...pairs].map(([, name = '', quoted, bare = '']) => [name, quoted ?? valueOf(bare.trim())]),
  );
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

interface JsonValue {
  // oxlint-disable-next-line typescript/no-explicit-any -- read field by field
  readonly value: any;
}

/** Brackets that nothing closes, after which no JSON is looked for: each costs the length of the text. */
const MOST_UNCLOSED = 16;

/** Whole JSON objects and lists in a text. */
function jsonValues(text: string): JsonValue[] {
  const values: JsonValue[] = [];
  let unclosed = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] !== '{' && !(text[at] === '[' && /^\[\s*\{/.test(text.slice(at, at + 20)))) continue;
    const end = endOfJson(text, at);
    if (end === -1) {
      unclosed += 1;
      if (unclosed > MOST_UNCLOSED) break;
      continue;
    }
    const value = valueOf(text.slice(at, end));
    if (typeof value !== 'object' || value === null) continue;
    values.push({ value });
    at = end - 1;
  }
  return values;
}

/** @returns the place after the bracket that closes the one at `from`; -1 when none does. */
function endOfJson(text: string, from: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at];
    if (quoted) {
      if (letter === '\\') at += 1;
      else if (letter === '"') quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === '{' || letter === '[') depth += 1;
    else if (letter === '}' || letter === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
