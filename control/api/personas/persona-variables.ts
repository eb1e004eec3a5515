import { z } from 'zod';
import type { ToolDefinition } from '../../../actors/session-config.ts';
import { type Detail, detail } from '../../errors/http-error.ts';

/** Longest value, in characters. */
const MAX_VALUE_LENGTH = 2000;
/** Visitors fill in a name or a number, and write no prompt. */
const MAX_VISITOR_VALUE_LENGTH = 200;
const MAX_VARIABLES = 50;
const variableName = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, 'must be a letter, then letters, digits and _');

export const variableDeclarations = z
  .array(
    z.object({
      name: variableName.describe('Stands as `{{name}}` in the prompt, the first words and headers of webhooks.'),
      description: z.string().max(500).default(''),
      default: z
        .string()
        .max(MAX_VALUE_LENGTH)
        .nullable()
        .default(null)
        .describe('Used when nobody gives a value. Null: somebody has to.'),
      example: z
        .string()
        .max(MAX_VALUE_LENGTH)
        .nullable()
        .default(null)
        .describe('Used by tests, and by trials in the console, where nobody gives a value.'),
      fromVisitor: z
        .boolean()
        .default(false)
        .describe('Whether a visitor of a widget or a share link may give the value.'),
    }),
  )
  .max(MAX_VARIABLES)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'names must be different');
export type VariableDeclarations = z.infer<typeof variableDeclarations>;

export const variableValues = z
  .record(variableName, z.string().max(MAX_VALUE_LENGTH))
  .refine((values) => Object.keys(values).length <= MAX_VARIABLES, `at most ${MAX_VARIABLES}`)
  .describe('Values of the variables that the persona declares.');
export type VariableValues = z.infer<typeof variableValues>;

/** What a visitor sends: values of variables that are not the visitor's to give are ignored. */
export const visitorValues = z
  .record(z.string().max(64), z.string().max(MAX_VISITOR_VALUE_LENGTH))
  .describe('Only of variables that a visitor may give; others are ignored.');

/**
 * The values of a session: what was given, else the defaults.
 * @param path of the values in the request. @returns problems for what is not declared, and for what nobody gives.
 */
export function resolveValues(
  declared: VariableDeclarations,
  given: VariableValues,
  path: string,
): { readonly values: VariableValues; readonly problems: readonly Detail[] } {
  const names = new Set(declared.map(({ name }) => name));
  const problems = Object.keys(given)
    .filter((name) => !names.has(name))
    .map((name) => detail(`${path}.${name}`, 'The persona declares no such variable'));
  const values: Record<string, string> = {};
  for (const { name, default: byDefault } of declared) {
    const value = Object.hasOwn(given, name) ? given[name]! : byDefault;
    if (value === null) problems.push(detail(`${path}.${name}`, 'The persona needs a value of it'));
    else values[name] = value;
  }
  return { values, problems };
}

/** What was given with a link or a widget, which outlives changes of the persona: only what is still declared. */
export function declaredValues(declared: VariableDeclarations, given: VariableValues): VariableValues {
  return Object.fromEntries(
    declared.filter(({ name }) => Object.hasOwn(given, name)).map(({ name }) => [name, given[name]!]),
  );
}

/** What tests use: what was given, else the examples of variables that have no default. */
export function valuesOfTest(declared: VariableDeclarations, given: VariableValues): VariableValues {
  const examples = declared.flatMap(({ name, default: byDefault, example }) =>
    byDefault === null && example !== null ? [[name, example] as const] : [],
  );
  return { ...Object.fromEntries(examples), ...given };
}

/** What a visitor may say of it, in one line: it shall not look like a part of the prompt. */
export function valuesOfVisitor(declared: VariableDeclarations, sent: VariableValues): VariableValues {
  return Object.fromEntries(
    declared
      .filter(({ name, fromVisitor }) => fromVisitor && Object.hasOwn(sent, name))
      .map(({ name }) => [name, oneLine(sent[name]!).slice(0, MAX_VISITOR_VALUE_LENGTH)]),
  );
}

/** Puts values into a text. What no variable is called stays, and a value is not looked through again. */
export function fillText(text: string, values: VariableValues, escape: (value: string) => string = (value) => value) {
  return text.replaceAll(/\{\{\s*([A-Za-z][A-Za-z0-9_]{0,63})\s*\}\}/g, (all, name: string) =>
    Object.hasOwn(values, name) ? escape(values[name]!) : all,
  );
}

/**
 * The tools of a session: schemas of arguments (their fixed values, defaults and descriptions) and headers of webhooks are
 * filled, and body templates are told the values.
 */
export function fillTools(tools: readonly ToolDefinition[], values: VariableValues): ToolDefinition[] {
  if (Object.keys(values).length === 0) return [...tools];
  return tools.map((tool) => {
    if (tool.kind !== 'webhook' && tool.kind !== 'client') return tool;
    const parameters = fillStrings(tool.parameters, values) as Record<string, unknown>;
    if (tool.kind === 'client') return { ...tool, parameters };
    // An argument of the tool is called so already.
    const own = (tool.parameters['properties'] ?? {}) as Readonly<Record<string, unknown>>;
    return {
      ...tool,
      parameters,
      headers: Object.fromEntries(
        Object.entries(tool.headers).map(([name, value]) => [name, fillText(value, values, forHeader)]),
      ),
      variables: Object.fromEntries(Object.entries(values).filter(([name]) => !Object.hasOwn(own, name))),
    };
  });
}

/** @param json whose strings are filled, at any depth. */
function fillStrings(json: unknown, values: VariableValues): unknown {
  if (typeof json === 'string') return fillText(json, values);
  if (Array.isArray(json)) return json.map((item) => fillStrings(item, values));
  if (json === null || typeof json !== 'object') return json;
  return Object.fromEntries(Object.entries(json).map(([key, item]) => [key, fillStrings(item, values)]));
}

/** Headers are one line of ASCII: what else is in a value is percent-encoded. */
function forHeader(value: string): string {
  return value.replaceAll(/[^\x20-\x7e]/gu, (character) => encodeURIComponent(character.toWellFormed()));
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
