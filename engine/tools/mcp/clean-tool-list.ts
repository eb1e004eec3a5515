import { isRecord } from '../../../actors/tools/schema/check.ts';

/**
 * The library refuses a whole list because of one tool that is not as the specification wants it. Here each tool is put
 * into that form: what is null counts as absent, and a tool that stays unusable is marked, so that it alone is left out.
 */

/** Keyword in the input schema of a tool that cannot be used: why. */
export const UNUSABLE = 'x-parley-unusable';

/** As many as a persona can have: every LLM request carries them all. */
export const MOST_TOOLS = 100;
/** Of one page: as many as can be used, and as many that are named as left out. */
const MOST_LISTED = 2 * MOST_TOOLS;

/** @param message any message of the server. @returns the same, unless it has a list of tools. */
export function withCleanTools<Message>(message: Message): Message {
  const result: unknown = isRecord(message) ? message['result'] : undefined;
  if (!isRecord(result) || !Array.isArray(result['tools'])) return message;
  return { ...message, result: { ...result, tools: result['tools'].slice(0, MOST_LISTED).map(cleanTool) } };
}

function cleanTool(tool: unknown): Record<string, unknown> {
  if (!isRecord(tool)) return unusable('', 'it is no object');
  const { name, description, inputSchema } = withoutNulls(tool);
  if (typeof name !== 'string' || name === '') return unusable('', 'it has no name');
  const text = typeof description === 'string' ? { description } : {};
  if (inputSchema !== undefined && !isRecord(inputSchema)) return unusable(name, 'its input schema is no object');
  if (isDeep(inputSchema)) return unusable(name, `its input schema is nested more than ${DEEPEST} levels deep`);
  const schema = withoutNulls(inputSchema ?? {});
  if (schema['type'] !== undefined && schema['type'] !== 'object')
    return unusable(name, 'its input schema is not of the type "object"');
  // Titles, annotations and output schemas are not used.
  return { name, ...text, inputSchema: { ...schema, type: 'object' } };
}

function unusable(name: string, reason: string): Record<string, unknown> {
  return { name, inputSchema: { type: 'object', [UNUSABLE]: reason } };
}

/** Values within values. The library checks a list recursively: 2,000 levels cost it the whole list. */
const DEEPEST = 64;

function isDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) return true;
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
