import { isRecord } from '../../../actors/tools/schema/check.ts';
import { modernSchema } from './modern-schema.ts';

/**
 * The library refuses a whole list because of one tool that is not as the specification wants it. Here each tool is put
 * into that form: what is null counts as absent, and a tool that stays unusable is marked, so that it alone is left out.
 */

/** Keyword in the input schema of a tool that cannot be used: why. */
export const UNUSABLE = 'x-parley-unusable';

/** As many as a persona can have: every LLM request carries them all. */
export const MAX_TOOLS = 100;
/** Of one page: as many as can be used, and as many that are named as left out. */
const MAX_LISTED = 2 * MAX_TOOLS;

/** @param result of `tools/list`: a page, or the list itself, or tools by their names. */
export function cleanToolList(result: unknown): Record<string, unknown> {
  const page = isRecord(result) ? result : { tools: result };
  const { nextCursor } = page;
  const more = typeof nextCursor === 'string' || typeof nextCursor === 'number' ? String(nextCursor) : '';
  const tools = toolsIn(page['tools']).slice(0, MAX_LISTED).map(cleanTool);
  return { tools, ...(more !== '' && { nextCursor: more }) };
}

function toolsIn(tools: unknown): readonly unknown[] {
  if (Array.isArray(tools)) return tools;
  if (!isRecord(tools)) return [];
  return Object.entries(tools).map(([name, tool]) => (isRecord(tool) ? { name, ...tool } : tool));
}

function cleanTool(tool: unknown): Record<string, unknown> {
  if (!isRecord(tool)) return unusable('', 'it is no object');
  const { name, title, description: told, inputSchema, input_schema, parameters, execution } = withoutNulls(tool);
  if (typeof name !== 'string' || name === '') return unusable('', 'it has no name');
  // A title says more than a name.
  const description = [told, title].find((one) => typeof one === 'string' && one.trim() !== '');
  const text = typeof description === 'string' ? { description } : {};
  const offered = asObject(inputSchema ?? input_schema ?? parameters ?? {});
  if (offered === null) return unusable(name, 'its input schema is no object');
  if (isDeep(offered)) return unusable(name, `its input schema is nested more than ${MAX_DEPTH} levels deep`);
  if (isRecord(execution) && execution['taskSupport'] === 'required')
    return unusable(name, 'it runs only as a task, whose result is fetched later');
  const schema = modernSchema(withoutNulls(offered));
  const { type = 'object' } = schema;
  if (type !== 'object' && !(Array.isArray(type) && type.includes('object')))
    return unusable(name, 'its input schema is not of the type "object"');
  // Annotations and output schemas are not used.
  return { name, ...text, inputSchema: { ...schema, type: 'object' } };
}

/** `true` is the schema that takes anything; some servers send a schema as JSON text. */
function asObject(schema: unknown): Record<string, unknown> | null {
  // PHP writes an empty object as a list.
  if (schema === true || (Array.isArray(schema) && schema.length === 0)) return {};
  if (isRecord(schema)) return schema;
  if (typeof schema !== 'string') return null;
  try {
    const value: unknown = JSON.parse(schema);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function unusable(name: string, reason: string): Record<string, unknown> {
  return { name, inputSchema: { type: 'object', [UNUSABLE]: reason } };
}

/** Values within values. The library checks a list recursively: 2,000 levels cost it the whole list. */
const MAX_DEPTH = 64;

function isDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((inner) => (typeof inner === 'object' && inner !== null ? Object.values(inner) : []));
  }
  return false;
}

/** Keywords that are null, at any depth. Null stays where it is a value: in `enum`, `const` and `default`. */
function withoutNulls(value: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(value).filter(([key, inner]) => inner !== null || key === 'const' || key === 'default');
  return Object.fromEntries(
    kept.map(([key, inner]) => {
      if (key === 'default' || key === 'const' || key === 'enum' || key === 'examples') return [key, inner];
      if (Array.isArray(inner)) return [key, inner.map((one) => (isRecord(one) ? withoutNulls(one) : one))];
      return [key, isRecord(inner) ? withoutNulls(inner) : inner];
    }),
  );
}
