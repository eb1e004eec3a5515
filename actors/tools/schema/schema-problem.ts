import { type Fault, inside, isRecord, newCheck, type SchemaObject } from './check.ts';
import { checkValue } from './check-value.ts';
import { linearPattern } from './linear-pattern.ts';
import { META_SCHEMA } from './meta-schema.ts';
import { referredTo } from './reference.ts';
import { TooMuchWorkError, WorkLimit } from './work-limit.ts';

/** Instructions of all patterns of one schema: compiling these takes 20 ms, on the thread of all sessions. */
const MAX_PATTERNS_SIZE = 2_000;
/** The largest schema that is accepted takes a few steps for each of its 5,000 values. */
const MAX_STEPS = 100_000;

/**
 * @returns what is wrong with a schema, at which of its own fields; null when the arguments of a tool can be checked
 * against it.
 */
export function schemaProblem(schema: SchemaObject): Fault | null {
  const { type } = schema;
  const fault = metaFault(schema);
  if (fault !== null) return fault;
  if (type !== undefined && type !== 'object' && !(Array.isArray(type) && type.includes('object'))) {
    return { path: 'type', message: 'must be "object": the arguments of a tool have names' };
  }
  let size = 0;
  for (const { path, keyword, value } of keywordsIn(schema, '')) {
    if (keyword === '$ref' && referredTo(schema, value) === undefined)
      return { path, message: 'must refer to a place within this schema' };
    if (keyword !== 'pattern') continue;
    const pattern = linearPattern(value);
    if (pattern === null)
      return {
        path,
        message:
          'must be a short pattern that RE2 can match: without lookaround, back references and large repetitions',
      };
    size += pattern.size;
    if (size > MAX_PATTERNS_SIZE)
      return { path, message: 'must be simpler: the patterns of this schema are too large together' };
  }
  return null;
}

/** Whether it is a schema at all. */
function metaFault(schema: SchemaObject): Fault | null {
  const check = newCheck(META_SCHEMA, { work: new WorkLimit(MAX_STEPS), enough: 1, repairs: 'nothing' });
  try {
    checkValue(check, META_SCHEMA, schema, '');
  } catch (error) {
    if (!(error instanceof TooMuchWorkError)) throw error;
    return { path: '', message: 'is too large to be checked' };
  }
  return check.faults[0] ?? null;
}

interface Keyword {
  readonly path: string;
  readonly keyword: '$ref' | 'pattern';
  readonly value: string;
}

const ONE_SCHEMA = [
  'items',
  'additionalItems',
  'contains',
  'additionalProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
];
const MANY_SCHEMAS = [
  'items',
  'prefixItems',
  'allOf',
  'anyOf',
  'oneOf',
  'properties',
  'patternProperties',
  'definitions',
  '$defs',
  'dependencies',
  'dependentSchemas',
];

/** References and patterns of a schema and of those in it. */
function* keywordsIn(schema: unknown, path: string): Generator<Keyword> {
  if (!isRecord(schema)) return;
  for (const keyword of ['$ref', 'pattern'] as const) {
    const value = schema[keyword];
    if (typeof value === 'string') yield { path: inside(path, keyword), keyword, value };
  }
  for (const pattern of Object.keys(isRecord(schema['patternProperties']) ? schema['patternProperties'] : {})) {
    yield { path: inside(path, `patternProperties.${pattern}`), keyword: 'pattern', value: pattern };
  }
  for (const name of ONE_SCHEMA) yield* keywordsIn(schema[name], inside(path, name));
  for (const name of MANY_SCHEMAS) {
    const inner = schema[name];
    if (typeof inner !== 'object' || inner === null || (name === 'items' && !Array.isArray(inner))) continue;
    for (const [key, one] of Object.entries(inner)) yield* keywordsIn(one, inside(path, `${name}.${key}`));
  }
}
