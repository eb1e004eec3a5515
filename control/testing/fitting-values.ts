import * as fc from 'fast-check';
import type { JsonSchema } from './openapi-document.ts';

export interface FittingOptions {
  readonly resolve: (ref: string) => JsonSchema;
  /** Ids of things that exist. */
  readonly ids: readonly string[];
  /** How often a value is not what the schema says, in percent. */
  readonly noise: number;
}

/** Deeper than any schema of the API; what is below may be anything. */
const MAX_DEPTH = 6;

export const oddText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '\0',
    '\u{d800}',
    'a'.repeat(300),
    '%',
    "'; drop table x",
    '../../etc/passwd',
    'https://example.com',
    'http://127.0.0.1',
    '2026-01-01T00:00:00Z',
    '9'.repeat(40),
    '__proto__',
    'constructor',
  ),
);
export const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  oddText,
  fc.double(),
  fc.constantFrom(null, true, {}, [], -1, 1e308),
);

/** Values that mostly fit a schema. */
export function fittingValues(schema: JsonSchema, options: FittingOptions, depth = 0): fc.Arbitrary<unknown> {
  const fit = depth > MAX_DEPTH ? junk : fitting(schema, options, depth);
  return options.noise === 0
    ? fit
    : fc.oneof({ weight: 100 - options.noise, arbitrary: fit }, { weight: options.noise, arbitrary: junk });
}

function fitting(schema: JsonSchema, options: FittingOptions, depth: number): fc.Arbitrary<unknown> {
  const inner = (part: JsonSchema): fc.Arbitrary<unknown> => fittingValues(part, options, depth + 1);
  if (schema.$ref !== undefined) return inner(options.resolve(schema.$ref));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices !== undefined && choices.length > 0) return fc.oneof(...choices.map(inner));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object' || schema.properties !== undefined) return objects(schema, options, inner);
  if (type === 'array') return fc.array(inner(schema.items ?? {}), { maxLength: 3 });
  if (type === 'string') return texts(schema, options.ids);
  if (type === 'number' || type === 'integer') return numbers(schema);
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  return junk;
}

function objects(
  { properties = {}, required = [] }: JsonSchema,
  { noise }: FittingOptions,
  inner: (part: JsonSchema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, inner(field)]));
  const known = fc.record(fields, { requiredKeys: required.filter((name) => name in fields) });
  if (noise === 0) return known;
  const extra = fc.oneof(
    { weight: 9, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.dictionary(oddText, junk, { maxKeys: 2 }) },
  );
  return fc.tuple(known, extra).map(([some, more]) => ({ ...some, ...more }));
}

function texts({ format }: JsonSchema, ids: readonly string[]): fc.Arbitrary<string> {
  if (format === 'uuid' || format === 'guid') return fc.oneof(fc.constantFrom(...ids), fc.uuid());
  return fc.oneof(
    oddText,
    fc.constantFrom(...ids, 'openai', 'https://llm.example.com/v1', 'meet.google.com/abc', 'CLIENT', 'client', 'en'),
  );
}

function numbers({ minimum, maximum }: JsonSchema): fc.Arbitrary<number> {
  const least = Math.ceil(minimum ?? -5);
  const most = Math.max(least, Math.min(maximum ?? 5000, 1e9));
  return fc.oneof(fc.integer({ min: least, max: most }), fc.double({ noNaN: true }));
}
