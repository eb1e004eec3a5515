/**
 * The files that load the MCP library. It takes about 0.1 s of CPU, so this one is imported when the first server is
 * used.
 */
export { connectMcp, LIBRARY_TIMEOUT_MS } from './mcp-connection.ts';
export { listPages } from './list-pages.ts';
export { isForgotten, isStarting, mcpProblem } from './mcp-problem.ts';
