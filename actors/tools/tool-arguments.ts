import { Ajv, type ValidateFunction } from 'ajv';
import { parseBoundedJson, JsonLimitError } from '../bounded-json.ts';

/** Reads the arguments that a model wrote for a tool, and checks them against the tool's schema. */

export type ToolArguments =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> }
  /** `problem` is told to the model so that it can try again. */
  | { readonly ok: false; readonly problem: string };

/** Arguments larger than this are a model running wild. */
const LONGEST_ARGUMENTS = 64 * 1024;
/** A process serves a few hundred tools; more than this means that schemas are not reused. */
const CACHED_SCHEMAS = 1000;

// Not strict: customers' schemas carry keywords of their own. Types are coerced, because models write "5" for 5.
const ajv = new Ajv({
  strict: false,
  allErrors: true,
  coerceTypes: true,
  useDefaults: true,
  validateFormats: false,
  logger: false,
  addUsedSchema: false,
});

/** Compiling takes a millisecond or two, checking microseconds: keyed by the schema's text. */
const compiled = new Map<string, ValidateFunction | null>();

/** @param text JSON as the model wrote it; empty means no arguments. @param schema JSON Schema of the arguments object. */
export function parseToolArguments(text: string, schema: Readonly<Record<string, unknown>>): ToolArguments {
  if (text.length > LONGEST_ARGUMENTS) return { ok: false, problem: 'The arguments are too long.' };
  let args: unknown;
  try {
    args = text.trim() === '' ? {} : parseBoundedJson(text);
  } catch (error) {
    return {
      ok: false,
      problem: `The arguments are ${error instanceof JsonLimitError ? 'too many or nested too deep' : 'not valid JSON'}.`,
    };
  }
  if (args === null) args = {};
  if (!isRecord(args)) return { ok: false, problem: 'The arguments must be a JSON object.' };
  const validate = validator(schema);
  if (validate === null || validate(args)) return { ok: true, args };
  const problems = (validate.errors ?? [])
    .slice(0, 5)
    .map(
      (error) =>
        `${error.instancePath === '' ? 'arguments' : error.instancePath.slice(1).replaceAll('/', '.')} ${error.message ?? 'is wrong'}`,
    );
  return { ok: false, problem: `The arguments do not fit the tool: ${problems.join('; ')}.` };
}

/** @returns null for a schema that is none: the tool then takes whatever the model writes. */
function validator(schema: Readonly<Record<string, unknown>>): ValidateFunction | null {
  const key = JSON.stringify(schema);
  const known = compiled.get(key);
  if (known !== undefined) return known;
  if (compiled.size >= CACHED_SCHEMAS) compiled.clear();
  const validate = compile(schema);
  compiled.set(key, validate);
  return validate;
}

function compile(schema: Readonly<Record<string, unknown>>): ValidateFunction | null {
  try {
    return ajv.compile(withoutIdentity(schema));
  } catch {
    return null;
  }
}

/** A customer's `$schema` or `$id` would select a dialect, or clash with another customer's. */
function withoutIdentity(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { $schema: _dialect, $id: _id, ...rest } = schema;
  return rest;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
