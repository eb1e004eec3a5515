import { isRecord } from '../../../actors/tools/schema/check.ts';

type Schema = Record<string, unknown>;

/** Names of types that people write, and those of JSON Schema. Without one, anything is meant. */
const TYPES: Readonly<Record<string, string | null>> = {
  any: null,
  unknown: null,
  mixed: null,
  str: 'string',
  text: 'string',
  date: 'string',
  datetime: 'string',
  file: 'string',
  int: 'integer',
  long: 'integer',
  float: 'number',
  double: 'number',
  decimal: 'number',
  bool: 'boolean',
  list: 'array',
  tuple: 'array',
  dict: 'object',
  map: 'object',
  none: 'null',
  undefined: 'null',
};
const KNOWN = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object']);
/** Keywords whose value is a number; some servers quote it. */
const NUMBERS = /^(?:minimum|maximum|exclusive|multipleOf|minLength|maxLength|minItems|maxItems)/;

/**
 * The form of JSON Schema that Parley checks, of older drafts and of what people write: `exclusiveMinimum: true` and
 * `required: true` in a property (drafts 3 and 4), types of other languages or in capitals (Gemini), numbers in quotes,
 * the schema's own address in `$ref`.
 * @param schema nested at most as deep as `cleanToolList` allows.
 */
export function modernSchema(schema: Schema): Schema {
  return modern(schema, typeof schema['$id'] === 'string' ? schema['$id'] : null);
}

function modern(schema: Schema, id: string | null): Schema {
  const entries = Object.entries(schema).flatMap(([keyword, value]) => modernKeyword(keyword, value, id));
  const made: Schema = Object.fromEntries(entries);
  for (const end of ['Minimum', 'Maximum'] as const) exclusive(made, end);
  made['required'] = requiredOf(schema);
  if (made['required'] === undefined) delete made['required'];
  return made;
}

function modernKeyword(keyword: string, value: unknown, id: string | null): [string, unknown][] {
  if (keyword === 'type') return typeOf(value);
  if (keyword === '$id' || (keyword === 'id' && typeof value === 'string')) return [];
  if (keyword === '$ref' && typeof value === 'string' && id !== null && value.startsWith(`${id}#`))
    return [[keyword, value.slice(id.length)]];
  if (NUMBERS.test(keyword) && typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    return [[keyword, Number(value)]];
  if (keyword === 'enum' || keyword === 'const' || keyword === 'default' || keyword === 'examples')
    return [[keyword, value]];
  if (keyword === 'properties' || keyword === '$defs' || keyword === 'definitions' || keyword === 'patternProperties')
    return isRecord(value) ? [[keyword, mapped(value, id)]] : [];
  if (Array.isArray(value)) return [[keyword, value.map((one: unknown) => (isRecord(one) ? modern(one, id) : one))]];
  return [[keyword, isRecord(value) ? modern(value, id) : value]];
}

/** By name, where a name may be that of a keyword. */
function mapped(schemas: Schema, id: string | null): Schema {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, one]) => [name, isRecord(one) ? modern(one, id) : named(one)]),
  );
}

/** In place of a schema, people write a type or what the argument is. */
function named(one: unknown): unknown {
  if (typeof one !== 'string') return one;
  const type = one.toLowerCase();
  return KNOWN.has(type) || type in TYPES ? Object.fromEntries(typeOf(type)) : { description: one };
}

function typeOf(value: unknown): [string, unknown][] {
  const types = (Array.isArray(value) ? value : [value]).map((one: unknown) => {
    const name = String(one).toLowerCase();
    return name in TYPES ? TYPES[name] : name;
  });
  if (types.includes(null)) return [];
  if (!Array.isArray(value)) return [['type', types[0]]];
  return [['type', [...new Set(types)]]];
}

/** Draft 4: the limit is that of `minimum`. */
function exclusive(schema: Schema, end: 'Minimum' | 'Maximum'): void {
  const keyword = `exclusive${end}`;
  if (typeof schema[keyword] !== 'boolean') return;
  const limit = schema[end.toLowerCase()];
  if (schema[keyword] && typeof limit === 'number') {
    schema[keyword] = limit;
    delete schema[end.toLowerCase()];
  } else delete schema[keyword];
}

/** Draft 3 has it in the property. */
function requiredOf({ required, properties }: Schema): unknown {
  const inside = isRecord(properties) ? Object.entries(properties) : [];
  const marked = inside.filter(([, one]) => isRecord(one) && one['required'] === true).map(([name]) => name);
  const named = typeof required === 'string' ? [required] : Array.isArray(required) ? required : [];
  const all = [...new Set([...named, ...marked].filter((name) => typeof name === 'string'))];
  return all.length === 0 ? undefined : all;
}
