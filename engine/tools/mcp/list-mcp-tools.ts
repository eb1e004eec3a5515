import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { McpServer } from '../../../actors/session-config.ts';
import { schemaProblem } from '../../../actors/tools/schema/schema-problem.ts';
import { truncateUtf8 } from '../../../actors/tools/tool-output.ts';
import type { Fetch } from '../../net/guarded-fetch.ts';
import { MAX_TOOLS, UNUSABLE } from './clean-tool-list.ts';

/** A tool as its server offers it, checked. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
}

export interface McpListing {
  readonly tools: readonly OfferedTool[];
  /** What personas cannot use of what the server offers, and why. */
  readonly leftOut: readonly { readonly name: string; readonly reason: string }[];
  /** A sentence on what may be missing, where the list broke off. */
  readonly incomplete: string | null;
}

/** As of a saved tool: 8,000 tokens of every prompt. */
const MAX_SCHEMA_BYTES = 32_768;
const MAX_NAME_CHARACTERS = 128;
const MAX_DESCRIPTION_BYTES = 1024;

/** A server that sleeps while nobody asks answers 502 or 503 at first. A session that starts waits 3 s in all. */
const STARTING_MS = 500;

/** `message` is a sentence for whoever configured the server. */
export class McpListingError extends Error {
  override readonly name = 'McpListingError';
}

/**
 * Connects, lists the tools of a server and disconnects.
 * @param server.url of a public host. @throws McpListingError, also when `signal` aborts.
 */
export async function listMcpTools(server: McpServer, fetch: Fetch, signal: AbortSignal): Promise<McpListing> {
  const { mcpProblem } = await import('./mcp-library.ts');
  try {
    return await listOnce(server, fetch, signal);
  } catch (error) {
    if (signal.aborted) throw new McpListingError('The MCP server did not answer in time.', { cause: error });
    const { message, reason } = mcpProblem(error);
    const told = reason === null ? message : `The MCP server could not be reached: ${reason}.`;
    throw new McpListingError(told, { cause: error });
  }
}

/** @param again whether a session that the server has forgotten is begun anew. @throws what the library throws. */
async function listOnce(server: McpServer, fetch: Fetch, signal: AbortSignal, again = true): Promise<McpListing> {
  const { connectMcp, isForgotten, isStarting, LIBRARY_TIMEOUT_MS, listPages } = await import('./mcp-library.ts');
  const connection = await connectMcp(server, fetch, signal).catch(async (error: unknown) => {
    if (!isStarting(error)) throw error;
    await pause(STARTING_MS, undefined, { signal });
    return connectMcp(server, fetch, signal);
  });
  try {
    const { tools, incomplete } = await listPages(connection.client, { signal, timeout: LIBRARY_TIMEOUT_MS });
    return { ...(await checked(tools)), incomplete };
  } catch (error) {
    // Of several processes behind one address, another one got the second request.
    if (!again || !isForgotten(error)) throw error;
    return await listOnce(server, fetch, signal, false);
  } finally {
    void connection.close();
  }
}

/** Tool by tool: media and others have their turn in between. */
async function checked(
  offered: readonly {
    readonly name: string;
    readonly description?: string | undefined;
    readonly inputSchema: object;
  }[],
): Promise<Pick<McpListing, 'tools' | 'leftOut'>> {
  const tools: OfferedTool[] = [];
  const leftOut: { name: string; reason: string }[] = [];
  for (const { name, description = '', inputSchema } of offered) {
    await nextTurn();
    const parameters = await usable(withoutDialect(inputSchema));
    const reason = tools.some((one) => one.name === name)
      ? 'another tool of this server has its name'
      : problemOf(name, parameters, tools.length);
    if (reason === null)
      tools.push({ name, description: truncateUtf8(description || name, MAX_DESCRIPTION_BYTES), parameters });
    else if (leftOut.length < MAX_TOOLS)
      leftOut.push({ name: name.slice(0, MAX_NAME_CHARACTERS) || 'a tool without a name', reason });
  }
  return { tools, leftOut };
}

function problemOf(name: string, parameters: Record<string, unknown>, before: number): string | null {
  const unusable = parameters[UNUSABLE];
  if (typeof unusable === 'string') return unusable;
  if (name === '' || name.length > MAX_NAME_CHARACTERS)
    return `its name must have 1 to ${MAX_NAME_CHARACTERS} characters`;
  if (before >= MAX_TOOLS) return `only ${MAX_TOOLS} tools of a server can be used`;
  if (isLarge(parameters)) return `its input schema is larger than ${MAX_SCHEMA_BYTES} bytes`;
  const fault = schemaProblem(parameters);
  return fault === null ? null : `its input schema is not usable: ${fault.path || 'it'} ${fault.message}`;
}

/** Of one schema: with more, it is not worth it. */
const MAX_REMOVED = 16;

/**
 * The schema without what Parley cannot check: a pattern with lookahead (the one of `z.email()` has it), a reference to
 * another file. The server checks what it is sent, and says what is wrong. @returns at worst the same.
 */
async function usable(schema: Record<string, unknown>): Promise<Record<string, unknown>> {
  if (schema[UNUSABLE] !== undefined || isLarge(schema)) return schema;
  const made = structuredClone(schema);
  for (let removed = 0; removed < MAX_REMOVED; removed += 1) {
    const fault = schemaProblem(made);
    if (fault === null) return made;
    if (fault.path === '' || !removeAt(made, fault.path)) break;
    await nextTurn();
  }
  return schemaProblem(made) === null ? made : schema;
}

/** @param path names with dots between them, and a name may have some itself. @returns whether something was there. */
function removeAt(node: unknown, path: string): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if (Object.hasOwn(node, path)) return Reflect.deleteProperty(node, path);
  return Object.entries(node).some(
    ([key, inner]) => path.startsWith(`${key}.`) && removeAt(inner, path.slice(key.length + 1)),
  );
}

function isLarge(schema: object): boolean {
  return Buffer.byteLength(JSON.stringify(schema)) > MAX_SCHEMA_BYTES;
}

/** LLMs refuse the keyword that names the dialect, which servers add by themselves. */
function withoutDialect(schema: object): Record<string, unknown> {
  const { $schema: _, ...rest } = schema as Record<string, unknown>;
  return rest;
}
