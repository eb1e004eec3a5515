import type { Resource } from '../../http/resource.ts';
import { mcpServerErrors } from './mcp-server-errors.ts';
import { mcpServerExamples } from './mcp-server-examples.ts';
import { mcpServerRoutes, type McpServerRoutesParts } from './mcp-server-routes.ts';
import { mcpToolTrialRoutes, type McpToolTrialRoutesParts } from './mcp-tool-trial-routes.ts';

export const mcpServers: Resource<McpServerRoutesParts & McpToolTrialRoutesParts> = {
  tag: 'MCP servers',
  description: 'Servers of the Model Context Protocol whose tools personas can use.',
  scopes: [{ name: 'mcp-servers', byDefault: true }],
  errors: mcpServerErrors,
  examples: mcpServerExamples,
  routes(app, control) {
    mcpServerRoutes(app, control);
    mcpToolTrialRoutes(app, control);
  },
};
