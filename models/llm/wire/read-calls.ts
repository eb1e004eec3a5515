import { jsonrepair } from 'jsonrepair';
import type { LlmToolCall } from '../../ports.ts';
import { newCallId } from '../request/call-ids.ts';
import { cleanName } from './clean-name.ts';
import { jsonValues } from './json-values.ts';

/** Tool calls in a text, in whatever form a model writes them. */

const ARGUMENTS = ['arguments', 'parameters', 'args', 'input', 'tool_input', 'action_input'];

/** @returns the calls in it, read by the first way that gives any. */
export function readLeak(text: string, names: ReadonlySet<string>): LlmToolCall[] {
  if (names.size === 0) return [];
  const repaired = (): LlmToolCall[] => jsonCalls(repairedJson(text), names);
  for (const read of [() => jsonCalls(text, names), () => namedCalls(text, names), repaired]) {
    const calls = read();
    if (calls.length > 0) return calls;
  }
  return [];
}

/**
 * The call of an action: `get_weather\nAction Input: {"city": "Rome"}`, `get_weather(city="Rome")`, `get_weather[Rome]`,
 * or JSON. An input that is a text alone is the tool's only argument.
 */
export function actionCalls(text: string, names: ReadonlySet<string>): LlmToolCall[] {
  const isBracketed = /^\s*[\w.-]+\[[^\n]*\]\s*$/.test(text);
  const calls = isBracketed ? [] : readLeak(text, names).filter((one) => names.has(one.name));
  if (calls.length > 0) return calls.slice(0, 1);
  const [, name = '', rest = ''] = /^[\s`"'*[]*([\w.:/-]+)[`"'*\]]*([\s\S]*)$/.exec(text) ?? [];
  if (!names.has(cleanName(name, names))) return [];
  const input =
    /\n\W*(?:action[ _]?input|arguments|args|param(?:eter)?s|input)\W*?[:：]([\s\S]*)$/i.exec(rest)?.[1] ??
    /^\s*\[([\s\S]*)\]\s*$/.exec(rest)?.[1] ??
    rest;
  const plain = input
    .trim()
    .replace(/^```\w*\s*([\s\S]*?)\s*```$/, '$1')
    .replace(/\n```$/, '')
    .replace(/^[`"']([\s\S]*)[`"']$/, '$1');
  return [call(name, NOTHING.test(plain) ? {} : (lineArguments(plain) ?? JSON.stringify(plain)), names)];
}

/** `city: Rome`, one on each line, as in YAML. */
function lineArguments(text: string): Record<string, unknown> | null {
  const pairs = text.split('\n').map((line) => /^\s*(\w+):\s+(\S.*?)\s*$/.exec(line));
  if (pairs.includes(null)) return null;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1], valueOf((pair?.[2] ?? '').replace(/^'(.*)'$/, '"$1"'))]));
}

const NOTHING = /^(?:|\{\s*\}?|none|null|n\/a)$/i;

/** As in Python: `{'name': 'get_weather', …}`. @returns '' where it cannot be repaired. */
function repairedJson(text: string): string {
  const from = text.indexOf('{');
  const to = text.lastIndexOf('}');
  if (from === -1 || to < from) return '';
  try {
    return jsonrepair(text.slice(from, to + 1));
  } catch {
    return '';
  }
}

function call(name: string, args: unknown, names: ReadonlySet<string>): LlmToolCall {
  const text = typeof args === 'string' ? args : JSON.stringify(args ?? {});
  return { id: newCallId(), name: cleanName(name, names), arguments: text.trim() === '' ? '{}' : text };
}

/** `{"name": …, "arguments": …}`, alone, in a list, or one after the other. */
export function jsonCalls(text: string, names: ReadonlySet<string>): LlmToolCall[] {
  const calls: LlmToolCall[] = [];
  for (const { value } of jsonValues(text)) {
    const all = value.tool_calls ?? value;
    for (const one of Array.isArray(all) ? all : [all]) {
      const node = (one?.function ?? one?.function_call ?? one) as Record<string, unknown>;
      const name =
        node?.['name'] ??
        node?.['tool_name'] ??
        node?.['tool'] ??
        one?.function_name ??
        one?.recipient_name ??
        actionOf(one, names);
      if (typeof name !== 'string') continue;
      const args = ARGUMENTS.map((key) => node[key]).find((value) => value !== undefined && value !== null);
      // Something else may have a name, too.
      if (args === undefined && !names.has(cleanName(name, names))) continue;
      calls.push(call(name, args, names));
    }
  }
  return calls;
}

/** Steps in JSON name what is done next, which need not be a tool: "Final Answer". */
function actionOf(one: { action?: unknown } | null, names: ReadonlySet<string>): string | undefined {
  const action = one?.action;
  return typeof action === 'string' && names.has(cleanName(action, names)) ? action : undefined;
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

/** @returns a text where it is JSON of a value alone. */
function argumentsIn(text: string): Record<string, unknown> | string | null {
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
    ...text.matchAll(
      /<(?:\w+_)?arg_key>\s*([^<]+?)\s*<\/(?:\w+_)?arg_key>\s*<(?:\w+_)?arg_value>([\s\S]*?)<\/(?:\w+_)?arg_value>/g,
    ),
    ...text.matchAll(/<[^<>\s=]*parameter(?:=|\s+name=)["']?([\w.-]+)["']?[^>]*>([\s\S]*?)<\/[^<>]*parameter>/g),
  ];
  if (pairs.length === 0) pairs.push(...text.matchAll(/<([A-Za-z_][\w.-]*)>([^<]*)<\/\1>/g));
  return pairs.length === 0
    ? null
    : Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, valueOf(value.replace(/^\n|\n$/g, ''))]));
}

/** `(city="Rome", days=3)`; `("Rome")`, the only argument without its name. */
function pythonArguments(text: string): Record<string, unknown> | string | null {
  const inside = /^\s*(?:\.\w+)?\(([\s\S]*)\)/.exec(text)?.[1];
  if (inside === undefined) return null;
  if (/^\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d[\d.]*)\s*$/.test(inside)) return pythonValue(inside.trim());
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

/** `{city:<|"|>Rome<|"|>,days:3}`, `{city:<escape>Rome<escape>}` */
function gemmaArguments(text: string): Record<string, unknown> | null {
  const inside = /^\s*\{([\s\S]*)\}/.exec(text)?.[1];
  if (inside === undefined) return null;
  const pairs = inside.matchAll(/(\w+)\s*:\s*(?:(?:<\|"\|>|<escape>)([\s\S]*?)(?:<\|"\|>|<escape>)|([^,{}]+))/g);
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

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
