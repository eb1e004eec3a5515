import type { Refusals } from '../errors.ts';

/** What only MCP servers are refused for. */
export const mcpServerErrors = {
  mcpServerNotFound: [404, 'MCP server not found', 'No MCP server of this organization has this id.'],
} as const satisfies Refusals;
