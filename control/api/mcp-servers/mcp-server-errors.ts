import type { Refusals } from '../../errors/http-error.ts';

/** What only MCP servers are refused for. */
export const mcpServerErrors = {
  mcpServerNotFound: [404, 'MCP server not found', 'No MCP server of this organization has this id.'],
  mcpToolNotFound: [404, 'MCP tool not found', 'The MCP server offers no tool of this name.'],
} as const satisfies Refusals;
