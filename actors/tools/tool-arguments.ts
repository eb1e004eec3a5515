import { JsonLimitError, parseBoundedJson } from '../bounded-json.ts';
import { isRecord } from './schema/check.ts';
import { checkArguments } from './schema/index.ts';

/** Reads the arguments that a model wrote for a tool, and checks them against the tool's schema. */

export type ToolArguments =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> }
  /** `problem` is told to the model so that it can try again. */
  | { readonly ok: false; readonly problem: string };

/** Arguments larger than this are a model running wild. */
const MAX_ARGUMENTS_LENGTH = 64 * 1024;

/**
 * @param text JSON as the model wrote it; empty means no arguments. @param schema JSON Schema of the arguments object.
 */
export function parseToolArguments(text: string, schema: Readonly<Record<string, unknown>>): ToolArguments {
  if (text.length > MAX_ARGUMENTS_LENGTH) return { ok: false, problem: 'The arguments are too long.' };
  let args: unknown;
  try {
    args = text.trim() === '' ? {} : parseBoundedJson(text);
  } catch (error) {
    const isLimit = error instanceof JsonLimitError;
    // Broken JSON is not meant as a text.
    args = isLimit || /^\s*[{["]/.test(text) ? null : ofOnlyParameter(text.trim(), schema);
    if (args === null)
      return { ok: false, problem: `The arguments are ${isLimit ? 'too many or nested too deep' : 'not valid JSON'}.` };
  }
  if (args === null) args = {};
  if (Array.isArray(args) && args.length === 1 && isRecord(args[0])) args = args[0];
  if (!isRecord(args)) args = ofOnlyParameter(args, schema);
  if (!isRecord(args)) return { ok: false, problem: 'The arguments must be a JSON object.' };
  const own = unwrapped(args, schema);
  const problems = checkArguments(schema, own);
  return problems.length === 0
    ? { ok: true, args: own }
    : { ok: false, problem: `The arguments do not fit the tool: ${problems.join('; ')}.` };
}

/** "Rome" alone, for a tool that needs nothing but a city. @returns null where it is not the only value. */
function ofOnlyParameter(
  value: unknown,
  schema: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | null {
  if (Array.isArray(value)) return null;
  const properties = isRecord(schema['properties']) ? Object.keys(schema['properties']) : [];
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const only = properties.length === 1 ? properties : properties.filter((name) => required.includes(name));
  const [name] = only;
  if (only.length !== 1 || name === undefined) return null;
  // `city=Rome` says its name.
  const isNamed = typeof value === 'string' && value.startsWith(name) && /^\s*[:=]/.test(value.slice(name.length));
  return { [name]: isNamed ? value.slice(name.length).replace(/^\s*[:=]\s*/, '') : value };
}

/** `{"arguments": {"city": "Rome"}}`: some models repeat the form of a call within it, for a tool that has no such field. */
function unwrapped(args: Record<string, unknown>, schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const keys = Object.keys(args);
  if (keys.some((key) => !OF_FORM.test(key) || Object.hasOwn(properties, key))) return args;
  const within = keys.filter((key) => !OF_CALL.test(key)).map((key) => recordIn(args[key]));
  return (within.length === 1 ? within[0] : null) ?? args;
}

const OF_CALL = /^(name|type|tool|function_name|tool_name|id)$/;
const OF_FORM =
  /^(arguments|parameters|args|kwargs|input|tool_input|properties|name|type|tool|function_name|tool_name|id)$/;

/** Also where it is JSON once more. */
function recordIn(value: unknown): Record<string, unknown> | null {
  if (typeof value !== 'string') return isRecord(value) ? value : null;
  try {
    const inner = parseBoundedJson(value);
    return isRecord(inner) ? inner : null;
  } catch {
    return null;
  }
}
