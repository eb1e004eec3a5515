import type { ToolSpec } from '../../ports.ts';
import { flat, isSchema, MAX_REFERENCES, resolved, type SchemaRoot } from './flat-schema.ts';

/**
 * Schemas of tools come from MCP servers and customers. Endpoints refuse a whole request because of one, so each is
 * made into what they take. What cannot be said in a schema is said in the tool's description.
 */

type Schema = Record<string, unknown>;

/** `usual`: what OpenAI's form takes. `strict`: also the names that Claude takes. `plain`: only what every model knows. */
export type SchemaForm = 'usual' | 'strict' | 'plain';

/** Claude takes these names of arguments (https://platform.claude.com/docs/en/agents-and-tools/tool-use). */
const STRICT_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;
/** Keywords that are refused at the top of a schema. */
const CHOICES = ['allOf', 'anyOf', 'oneOf'] as const;
const NOT_AT_TOP = [...CHOICES, 'not', 'enum', 'const', 'if', 'then', 'else'] as const;
const PLAIN_KEYWORDS = new Set(['type', 'properties', 'required', 'items', 'enum', 'description']);
/** Deeper schemas are cut: no model fills them in. */
const MAX_DEPTH = 16;

export interface FittedTools {
  readonly tools: readonly ToolSpec[];
  /** Names of the tools that cannot be offered. */
  readonly leftOut: readonly string[];
}

export function fitTools(tools: readonly ToolSpec[], form: SchemaForm): FittedTools {
  const fitted = tools.map((tool) => fitTool(tool, form));
  return {
    tools: fitted.filter((tool) => tool !== null),
    leftOut: tools.filter((_tool, at) => fitted[at] === null).map(({ name }) => name),
  };
}

function fitTool(tool: ToolSpec, form: SchemaForm): ToolSpec | null {
  const { schema, words } = fitTop(isSchema(tool.parameters) ? tool.parameters : {}, form);
  const properties = schema['properties'] as Schema;
  const required = (schema['required'] as readonly string[] | undefined) ?? [];
  const refused = form === 'usual' ? [] : Object.keys(properties).filter((name) => !STRICT_NAME.test(name));
  if (refused.some((name) => required.includes(name))) return null;
  for (const name of refused) delete properties[name];
  const description = [tool.description, ...words].filter((text) => text !== '').join(' ');
  return { ...tool, description, parameters: schema };
}

/** What the parts of one schema are made into, and what they belong to. */
interface Whole {
  readonly form: SchemaForm;
  readonly root: SchemaRoot;
}

function fitTop(schemaOfTool: Schema, form: SchemaForm): { schema: Schema; words: string[] } {
  const words: string[] = [];
  const whole = { form, root: { schema: schemaOfTool, references: MAX_REFERENCES } };
  const given = resolved(schemaOfTool, whole.root);
  const schema = fit(given, whole, 0) as Schema;
  const properties: Schema = isSchema(schema['properties']) ? schema['properties'] : {};
  const required = new Set(strings(schema['required']));
  for (const keyword of CHOICES) {
    const branches = (Array.isArray(given[keyword]) ? given[keyword] : [])
      .map((branch) => fit(branch, whole, 1))
      .filter(isSchema);
    for (const branch of branches)
      for (const [name, inner] of Object.entries(isSchema(branch['properties']) ? branch['properties'] : {}))
        properties[name] ??= inner;
    const needs = branches.map((branch) => strings(branch['required'])).filter((names) => names.length > 0);
    if (keyword === 'allOf') for (const name of needs.flat()) required.add(name);
    else if (needs.length > 0) words.push(`Give ${needs.map((names) => names.join(' and ')).join(', or ')}.`);
  }
  for (const keyword of NOT_AT_TOP) delete schema[keyword];
  const known = [...required].filter((name) => Object.hasOwn(properties, name));
  delete schema['required'];
  return {
    schema: { ...schema, type: 'object', properties, ...(known.length > 0 && { required: known }) },
    words,
  };
}

/** The same schema without what endpoints refuse: null keywords, objects without properties, lists without items. */
function fit(given: unknown, whole: Whole, depth: number): unknown {
  if (!isSchema(given) || depth > MAX_DEPTH) return typeof given === 'boolean' ? {} : isSchema(given) ? {} : given;
  const { form, root } = whole;
  const schema: Schema = {};
  for (const [keyword, value] of Object.entries(form === 'plain' && depth > 0 ? flat(given, root) : given)) {
    if ((value === null && keyword !== 'const' && keyword !== 'default') || keyword === '$schema') continue;
    if (form === 'plain' && !PLAIN_KEYWORDS.has(keyword)) continue;
    // A choice of nothing.
    if (keyword === 'enum' && Array.isArray(value) && value.length === 0) continue;
    schema[keyword] = fitKeyword(keyword, value, whole, depth);
  }
  if (form === 'plain' && Array.isArray(schema['type']))
    schema['type'] = schema['type'].find((type) => type !== 'null') ?? 'string';
  const types = [schema['type']].flat();
  if (types.includes('object') && !isSchema(schema['properties'])) schema['properties'] = {};
  if (types.includes('array') && schema['items'] === undefined) schema['items'] = {};
  if (schema['required'] !== undefined) {
    const properties = isSchema(schema['properties']) ? schema['properties'] : {};
    const known = strings(schema['required']).filter((name) => depth === 0 || Object.hasOwn(properties, name));
    if (known.length > 0) schema['required'] = known;
    else delete schema['required'];
  }
  return schema;
}

const OF_SCHEMAS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const SINGLE = new Set(['items', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else', 'propertyNames']);

function fitKeyword(keyword: string, value: unknown, whole: Whole, depth: number): unknown {
  if (OF_SCHEMAS.has(keyword))
    return isSchema(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fit(inner ?? {}, whole, depth + 1)]))
      : {};
  if (LISTS.has(keyword)) return Array.isArray(value) ? value.map((inner) => fit(inner, whole, depth + 1)) : [];
  if (keyword === 'items' && Array.isArray(value)) return ofOlderList(value, whole, depth);
  if (keyword === 'additionalProperties' && typeof value === 'string') return value !== 'false';
  if (SINGLE.has(keyword))
    return typeof value === 'boolean' && keyword !== 'items' ? value : fit(value, whole, depth + 1);
  return value;
}

/** Of an older draft: one schema for each place of a list. Endpoints take one for all of them. */
function ofOlderList(schemas: readonly unknown[], whole: Whole, depth: number): unknown {
  const fitted = schemas.map((inner) => fit(inner, whole, depth + 1));
  const [first = {}, ...others] = fitted;
  const isOne = whole.form === 'plain' || others.every((other) => JSON.stringify(other) === JSON.stringify(first));
  return isOne ? first : { anyOf: fitted };
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
