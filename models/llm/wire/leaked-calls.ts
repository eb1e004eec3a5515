import { endOfJson } from '../../../runtime/end-of-json.ts';
import type { LlmToolCall } from '../../ports.ts';
import { jsonValues } from './json-values.ts';
import { lengthWithoutWrapping, WrappingEnds, wrappingBefore } from './leak-wrapping.ts';
import { ReactSteps } from './react-steps.ts';
import { actionCalls, jsonCalls, readLeak } from './read-calls.ts';

/**
 * Servers without the right parser for a model let its tool calls through as text, in the marks of the model. They are
 * never spoken: the calls are made where they can be read.
 */

/** The end of a dialect whose arguments are a JSON object, and nothing behind it. */
const WITH_JSON = '{}';
/** How a leaked call begins, and how the text around it goes on. Null: it never does. One line for each dialect. */
type Dialect = readonly [begin: string, end: string | null];
const DIALECTS: readonly Dialect[] = [
  ['<tool_call>', '</tool_call>'], // Hermes, Qwen, GLM
  ['<tool_calls>', '</tool_calls>'],
  ['<tools>', '</tools>'],
  ['<toolcall>', '</toolcall>'],
  ['<tool-call>', '</tool-call>'],
  ['<tool_call ', '</tool_call>'],
  ['&lt;tool_call&gt;', '&lt;/tool_call&gt;'],
  ['<tool_use>', '</tool_use>'],
  ['<use_mcp_tool>', '</use_mcp_tool>'],
  ['<function_call ', '</function_call>'],
  ['<antml:function_calls>', '</antml:function_calls>'],
  ['<antml:invoke name=', '</antml:invoke>'],
  ['<function_call>', '</function_call>'],
  ['<functioncall>', '</functioncall>'],
  ['<function=', '</function>'], // Llama, Functionary
  ['<minimax:tool_call>', '</minimax:tool_call>'],
  ['<seed:tool_call>', '</seed:tool_call>'],
  ['<TOOLCALL>', '</TOOLCALL>'], // Nemotron
  ['<start_function_call>', '<end_function_call>'], // FunctionGemma
  ['<execute_tool>', '</execute_tool>'],
  ['<tool_invocation>', '</tool_invocation>'],
  ['<function name=', '</function>'],
  ['<tool name=', '</tool>'],
  ['<fn name=', '</fn>'],
  ['<call name=', '</call>'],
  ['<tool_sep>', null], // Hunyuan
  ['<|plugin|>', '<|plugin_end|>'], // InternLM
  ['[TOOL_CALL]', '[/TOOL_CALL]'],
  ['[tool_call]', '[/tool_call]'],
  ['✿FUNCTION✿', null], // Qwen-Agent
  ['<|tool_call|>', null], // Granite, Phi
  ['<|tool_calls|>', null],
  ['<|tool_call>', '<tool_call|>'], // Gemma 4
  ['<|tool_call_start|>', '<|tool_call_end|>'], // LFM2
  ['<|tool_call_begin|>', null], // Kimi
  ['<|tool_calls_section_begin|>', '<|tool_calls_section_end|>'],
  ['<|START_ACTION|>', '<|END_ACTION|>'], // Command R
  ['<|python_tag|>', null], // Llama 3
  ['<|channel|>commentary to=', '<|call|>'], // gpt-oss
  ['<|start|>assistant to=', '<|call|>'],
  ['<|function_call|>', null],
  ['<|content_invoke', null],
  ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'], // DeepSeek
  ['<｜tool▁call▁begin｜>', '<｜tool▁call▁end｜>'],
  ['<｜DSML｜', null],
  ['<|DSML|', null],
  ['<｜tool_calls_begin｜>', '<｜tool_calls_end｜>'], // Step
  ['<longcat_tool_call>', '</longcat_tool_call>'],
  ['<|tools_prefix|>', '<|tools_suffix|>'], // Apertus
  ['<|action_start|>', '<|action_end|>'], // InternLM
  // What tools answer, made up by the model.
  ['[TOOL_RESULTS]', '[/TOOL_RESULTS]'],
  ['<tool_response>', '</tool_response>'],
  ['[TOOL_CALLS]', null], // Mistral
  ['[TOOL_REQUEST]', '[END_TOOL_REQUEST]'],
  ['>>>functions.', null],
  ['```tool_code', '```'], // Gemma
  ['```tool_call', '```'],
];
/** Words that begin a call only where they begin a line. */
const OF_LINES: readonly Dialect[] = [
  ['assistant to=functions.', WITH_JSON], // gpt-oss without its marks
  ['commentary to=functions.', WITH_JSON],
  ['to=functions.', WITH_JSON],
  ['TOOL_CALLS[', null],
  ['functools[', null], // Phi 4, Firefunction
];
const ofLines = (name: string): Dialect => [`Call: ${name}(`, ')']; // Nexus
/** Models that do not stop go on with the words of somebody else, as in texts that they have learned from. */
const OTHER_TURNS: readonly string[] = ['\n### User', '\n### Human', '\n### Instruction', '\nUser: ', '\nHuman: '];
/** What models make of the name of a tool without any marks of their own. */
const dialectsOf = (name: string): readonly Dialect[] => [
  [`<${name}>`, `</${name}>`],
  [`[${name}(`, ')]'], // Llama 3.2, Llama 4
  [`${name}(`, ')'],
  [`${name}</`, WITH_JSON], // in a tag of its own, and its arguments in another
  ...['', ' ', '\n', ': ', ':\n', ' -> ', ' => '].map((between): Dialect => [`${name}${between}{`, WITH_JSON]),
  [`[Calling tool ${name}`, '}]'],
];
/** A call as JSON behind other words: it begins with one of these keys. Qwen doubles the braces, as its template does. */
const JSON_CALL =
  /\{{1,2}\s{0,16}"(?:name|tool|tool_name|action|function|function_name|recipient_name|type|tool_calls)"\s{0,4}:/;
const MAYBE_JSON_CALL = /\{{1,2}(?:\s{0,16}(?:"[a-z_]{0,14}(?:"\s{0,4})?)?)?$/;
/** Models that were made to answer in JSON put their words below one of these keys. */
const SAID_BELOW = ['response', 'answer', 'reply', 'text', 'message', 'content', 'speech', 'output', 'action_input'];
/** Of steps in JSON. */
const FINAL = /"action"\s*:\s*"final[ _]?answer"/i;
/** What is remembered of the text before. */
const MAX_BEFORE = 8;
/** A leaked call that is longer is dropped: no model writes one. */
const MAX_LEAK_LENGTH = 64 * 1024;

export interface Sifted {
  readonly text: string;
  readonly calls: readonly LlmToolCall[];
  /** Leaked calls that could not be read. */
  readonly unread: number;
  /** What the model thought aloud. */
  readonly thought: string;
}

interface Dialects {
  readonly anywhere: readonly Dialect[];
  readonly atLines: readonly Dialect[];
}

/** Takes leaked calls out of an answer's text. */
export class LeakedCalls {
  readonly #names: ReadonlySet<string>;
  readonly #dialects: Dialects;
  /** Text that may be the beginning of a leak, or the leak so far. */
  #held = '';
  #leak: Leak | null = null;
  /** What is still to come of the wrapping of the last call. */
  #ends = new WrappingEnds();
  readonly #steps: ReactSteps;
  #begun = false;
  #isAtLine = true;
  #before = '';

  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
    this.#steps = new ReactSteps(this.#names);
    const own = [...this.#names];
    this.#dialects = {
      anywhere: [...DIALECTS, ...own.flatMap(dialectsOf)],
      atLines: [...OF_LINES, ...own.map(ofLines)],
    };
  }

  push(text: string): Sifted {
    this.#held += this.#steps.push(text);
    return this.#sift(false);
  }

  end(): Sifted {
    const { text, action, thought } = this.#steps.end();
    const calls = action === null ? [] : actionCalls(action, this.#names);
    // "Final Answer" may stand where the name of a tool does.
    const said = action !== null && calls.length === 0 ? saidIn(action) : null;
    this.#held += text + (said ?? '');
    const sifted = this.#sift(true);
    const unread = action !== null && calls.length === 0 && said === null ? 1 : 0;
    return { ...sifted, thought, calls: [...sifted.calls, ...calls], unread: sifted.unread + unread };
  }

  #sift(isEnd: boolean): Sifted {
    const out = { text: '', calls: [] as LlmToolCall[], unread: 0, thought: '' };
    for (;;) {
      if (this.#leak === null && !this.#free(out, isEnd)) break;
      if (this.#leak !== null && !this.#read(out, this.#leak, isEnd)) break;
    }
    return out;
  }

  /** Passes on what is no leak. @returns whether one has begun. */
  #free(out: { text: string; calls: LlmToolCall[] }, isEnd: boolean): boolean {
    const rest = this.#ends.without(this.#held, isEnd);
    if (rest === null) return false;
    this.#held = rest;
    if (!this.#begun && this.#isBare(out, isEnd)) return false;
    const found = firstBegin(this.#held, this.#dialects, this.#isAtLine);
    if (found !== null) {
      const wrapping = wrappingBefore(this.#held.slice(0, found.at));
      out.text += this.#pass(found.at - wrapping);
      this.#leak = { ...found, wrapping };
      return true;
    }
    out.text += this.#pass(
      isEnd ? this.#held.length : safeLength(this.#held, this.#before, this.#dialects, this.#isAtLine),
    );
    return false;
  }

  #pass(length: number): string {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    if (text.trim() !== '') this.#begun = true;
    this.#before = (this.#before + text).slice(-MAX_BEFORE);
    if (text !== '') this.#isAtLine = /^\s*$|\n[ \t]*$/.test(text) && (this.#isAtLine || text.includes('\n'));
    return text;
  }

  /** An answer that is nothing but JSON, perhaps in a code fence. @returns whether it is, or may become, one. */
  #isBare(out: { text: string; calls: LlmToolCall[] }, isEnd: boolean): boolean {
    const text = this.#held.trimStart();
    if (!/^(\{|\[\s*\{|\[$|`{1,2}$|```(?:j(?:s(?:on?)?)?)?(?:$|\s*[{[]))/.test(text)) return false;
    if (!isEnd) return text.length < MAX_LEAK_LENGTH;
    const calls = jsonCalls(text, this.#names).filter(({ name }) => this.#names.has(name));
    const said = calls.length > 0 ? null : saidIn(text);
    if (calls.length === 0 && said === null) return false;
    out.calls.push(...calls);
    out.text += said ?? '';
    this.#held = '';
    return true;
  }

  /** @returns whether the leak is over. */
  #read(out: Sifting, leak: Leak, isEnd: boolean): boolean {
    const inside = this.#held.slice(leak.wrapping);
    const end = endOf(inside, leak);
    if (end === null && !isEnd) {
      if (this.#held.length > MAX_LEAK_LENGTH) this.#held = this.#held.slice(0, MAX_LEAK_LENGTH);
      return false;
    }
    const text = inside.slice(0, end ?? inside.length);
    const length = leak.wrapping + text.length;
    const calls = leak.kind === 'turn' ? [] : callsOf(text, leak, this.#names);
    out.calls.push(...calls);
    // JSON, and a name with brackets, may be meant to be read.
    if (calls.length === 0 && (leak.kind === 'json' || leak.end === ')' || leak.end === WITH_JSON)) {
      const said = leak.kind === 'json' && FINAL.test(text) ? saidIn(text) : null;
      const whole = this.#pass(length);
      out.text += said ?? whole;
    } else {
      if (calls.length === 0 && leak.kind !== 'turn') out.unread += 1;
      this.#ends = new WrappingEnds(this.#held.slice(0, leak.wrapping));
      this.#held = this.#held.slice(length);
    }
    this.#leak = null;
    return this.#held !== '';
  }
}

function callsOf(text: string, leak: Leak, names: ReadonlySet<string>): LlmToolCall[] {
  if (leak.end === WITH_JSON && jsonValues(text).length === 0) return [];
  return leak.kind === 'json' ? jsonCalls(text, names) : readLeak(withoutEnd(text, leak), names);
}

type Sifting = { text: string; calls: LlmToolCall[]; unread: number };

/** Where a leak begins, and what ends it; null: nothing does. */
interface Leak {
  readonly at: number;
  readonly kind: 'marks' | 'json' | 'turn';
  readonly end: string | null;
  /** Length of what belongs to the call, and stands before it. */
  readonly wrapping: number;
}

/** @param isAtLine whether the text begins a line. */
function firstBegin(text: string, dialects: Dialects, isAtLine: boolean): Omit<Leak, 'wrapping'> | null {
  let first: (Omit<Leak, 'wrapping'> & { length: number }) | null = null;
  for (const [begin, end] of dialects.anywhere) {
    const at = text.indexOf(begin);
    if (at === -1 || (first !== null && (at > first.at || (at === first.at && begin.length <= first.length)))) continue;
    first = { at, kind: 'marks', end, length: begin.length };
  }
  for (const [begin, end] of dialects.atLines) {
    const at = text.indexOf(begin);
    if (at !== -1 && beginsLine(text, at, isAtLine) && (first === null || at < first.at))
      first = { at, kind: 'marks', end, length: begin.length };
  }
  for (const begin of OTHER_TURNS) {
    const at = text.indexOf(begin);
    if (at !== -1 && (first === null || at < first.at)) first = { at, kind: 'turn', end: null, length: begin.length };
  }
  const json = text.search(JSON_CALL);
  return json !== -1 && (first === null || json < first.at) ? { at: json, kind: 'json', end: null } : first;
}

const beginsLine = (text: string, at: number, isAtLine: boolean): boolean =>
  /(?:^|\n)[ \t]*$/.test(text.slice(0, at)) && (isAtLine || text.slice(0, at).includes('\n'));

/** @returns the place after it; null while it goes on. */
function endOf(text: string, { kind, end }: Pick<Leak, 'kind' | 'end'>): number | null {
  const isJson = kind === 'json' || end === WITH_JSON;
  const from = kind === 'json' ? 0 : text.indexOf('{');
  if (isJson && from === -1) return null;
  const at = isJson ? endOfJson(text, from) : end === null ? -1 : text.indexOf(end, 1);
  return at === -1 ? null : at + (isJson ? 0 : String(end).length);
}

/** The name of a tool in the end of its tag is no second call. */
function withoutEnd(text: string, { end }: Leak): string {
  return end?.startsWith('</') === true && text.endsWith(end) ? text.slice(0, -end.length) : text;
}

/** @param passed what came before it. @returns how much of the text cannot be the beginning of a leak. */
function safeLength(text: string, passed: string, dialects: Dialects, isAtLine: boolean): number {
  const json = text.search(MAYBE_JSON_CALL);
  const length = Math.min(json === -1 ? text.length : json, lengthWithoutWrapping(text, passed));
  const begins = [...OTHER_TURNS, ...dialects.anywhere.map(([begin]) => begin)];
  const before = (at: number): number => at - wrappingBefore(text.slice(0, at));
  const longest = Math.max(...begins.map((begin) => begin.length));
  for (let at = Math.max(0, text.length - longest); at < length; at += 1) {
    const tail = text.slice(at);
    if (begins.some((begin) => begin.startsWith(tail))) return before(at);
    if (beginsLine(text, at, isAtLine) && dialects.atLines.some(([begin]) => begin.startsWith(tail))) return before(at);
  }
  return length < text.length ? before(length) : length;
}

/** @returns the words of an answer that is a JSON object around them; null when it is none. */
function saidIn(text: string): string | null {
  const plain = text
    .trim()
    .replace(/^```(?:json)?\s*([\s\S]*?)\s*```$/, '$1')
    .trim();
  if (!plain.startsWith('{') || endOfJson(plain, 0) !== plain.length) return null;
  const object = jsonValues(plain)[0]?.value as Record<string, unknown> | undefined;
  const said = SAID_BELOW.map((key) => object?.[key]).find((value) => typeof value === 'string');
  return said ?? null;
}
