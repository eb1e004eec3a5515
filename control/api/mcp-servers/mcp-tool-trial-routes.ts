import { type App, callerOf } from '../../http/app.ts';
import { HttpError } from '../../errors/http-error.ts';
import { errorAnswers, idPath } from '../../http/schemas.ts';
import { toolTrial } from '../tools/tool-schema.ts';
import { runOnce } from '../tools/tool-trial.ts';
import { mcpServerErrors } from './mcp-server-errors.ts';
import { findMcpServer, usableMcpServer } from './mcp-server-rows.ts';
import { tryMcpTool } from './mcp-server-schema.ts';
import { mcpToolDefinition } from './mcp-session-tools.ts';
import type { Store } from '../../store/open.ts';
import type { ControlPorts } from '../../ports.ts';
import type { Vault } from '../../access/vault.ts';
import type { Knowledge } from '../knowledge/knowledge.ts';
import type { McpToolLists } from './mcp-tool-lists.ts';

/** What these routes take of the service. */
export interface McpToolTrialRoutesParts {
  readonly store: Store;
  readonly ports: Pick<ControlPorts, 'tools'>;
  readonly vault: Vault;
  readonly knowledge: Knowledge;
  readonly mcpTools: McpToolLists;
  readonly now: () => number;
}

/** Runs a tool of an MCP server outside of a conversation. */
export function mcpToolTrialRoutes(app: App, control: McpToolTrialRoutesParts): void {
  app.post(
    '/v1/mcp-servers/:id/tools/test',
    {
      config: { pathId: { status: 404, missing: mcpServerErrors.mcpServerNotFound } },
      schema: {
        summary: 'Run a tool of the server once',
        description: 'Calls it as a session does, also if `allowedTools` does not name it.',
        params: idPath,
        body: tryMcpTool,
        response: { 200: toolTrial, ...errorAnswers(400, 404, 409) },
      },
    },
    async (request) => {
      const { organizationId } = callerOf(request);
      const { name, arguments: args } = request.body;
      const row = await findMcpServer(control.store, organizationId, request.params.id);
      const server = usableMcpServer(control.vault, row);
      const list = await control.mcpTools.list(server);
      if (!list.ok) return { ok: false, output: list.message, documentsAccessed: [], durationSeconds: 0 };
      const offered = list.tools.find((tool) => tool.name === name);
      if (offered === undefined) throw new HttpError(mcpServerErrors.mcpToolNotFound);
      return runOnce(control, { organizationId, tool: mcpToolDefinition(server, offered), args });
    },
  );
}
