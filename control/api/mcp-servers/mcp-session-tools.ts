import type { McpServer, ToolDefinition } from '../../../actors/session-config.ts';
import type { OfferedMcpTool } from '../../ports.ts';
import type { McpServerRow } from '../../store/tables.ts';
import { MAX_TOOLS } from './mcp-server-schema.ts';
import { allowedToolsOf, usableMcpServer } from './mcp-server-rows.ts';
import type { Vault } from '../../access/vault.ts';
import type { McpToolLists } from './mcp-tool-lists.ts';
import type { Logger } from '../../../runtime/log.ts';

/** LLMs take names of 64 characters, and a tool's own name says more than that of its server. */
const MAX_PREFIX_LENGTH = 24;
const MAX_NAME_LENGTH = 64;

/**
 * The tools of MCP servers as a session runs them. A server that does not answer is left out, with a warning.
 * @throws HttpError 409 when credentials cannot be opened.
 */
export async function mcpSessionTools(
  { mcpTools, vault, log }: { readonly vault: Vault; readonly mcpTools: McpToolLists; readonly log: Logger },
  rows: readonly McpServerRow[],
): Promise<{ readonly tools: readonly ToolDefinition[]; readonly warnings: readonly string[] }> {
  const servers = rows.map((row) => ({ server: usableMcpServer(vault, row), allowed: allowedToolsOf(row) }));
  const warnings: string[] = [];
  const lists = await Promise.all(
    servers.map(async ({ server, allowed }) => {
      const list = await mcpTools.list(server);
      if (list.ok && list.incomplete !== null) {
        log.warn(
          { mcpServerId: server.id, problem: list.incomplete },
          'only a part of the tools of an MCP server was listed',
        );
        warnings.push(`The MCP server "${server.name}" has listed only a part of its tools: some may be missing.`);
      }
      if (list.ok)
        return list.tools
          .filter(({ name }) => allowed?.includes(name) ?? true)
          .map((tool) => mcpToolDefinition(server, tool));
      log.warn({ mcpServerId: server.id, problem: list.message }, 'the tools of an MCP server could not be listed');
      warnings.push(`The MCP server "${server.name}" does not answer: its tools are missing.`);
      return [];
    }),
  );
  const tools = lists.flat();
  if (tools.length > MAX_TOOLS)
    warnings.push(`The MCP servers offer ${tools.length} tools: only the first ${MAX_TOOLS} are used.`);
  return { tools: tools.slice(0, MAX_TOOLS), warnings };
}

/** A tool that a server offers, as the engine runs it. */
export function mcpToolDefinition(
  server: McpServer,
  { name, description, parameters }: OfferedMcpTool,
): Extract<ToolDefinition, { kind: 'mcp' }> {
  return {
    kind: 'mcp',
    name: `${plain(server.name).slice(0, MAX_PREFIX_LENGTH)}_${plain(name)}`.slice(0, MAX_NAME_LENGTH),
    description,
    parameters,
    disableInterruptions: false,
    server,
    remoteName: name,
  };
}

/** With the characters that every LLM takes in the name of a tool. */
function plain(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]+/g, '_');
}
