import { type App, callerOf } from '../../http/app.ts';
import { HttpError } from '../../errors/http-error.ts';
import { errorAnswers, idPath } from '../../http/schemas.ts';
import { toolErrors } from './tool-errors.ts';
import { findTool, savedDefinition } from './tool-rows.ts';
import { toolTrial, tryTool } from './tool-schema.ts';
import { runOnce } from './tool-trial.ts';
import type { Store } from '../../store/open.ts';
import type { ControlPorts } from '../../ports.ts';
import type { Vault } from '../../access/vault.ts';
import type { Knowledge } from '../knowledge/knowledge.ts';

/** What these routes take of the service. */
export interface ToolTrialRoutesParts {
  readonly store: Store;
  readonly ports: Pick<ControlPorts, 'tools'>;
  readonly vault: Vault;
  readonly knowledge: Knowledge;
  readonly now: () => number;
}

/** Runs a saved tool outside of a conversation. */
export function toolTrialRoutes(app: App, control: ToolTrialRoutesParts): void {
  app.post(
    '/v1/tools/:id/test',
    {
      config: { pathId: { status: 404, missing: toolErrors.toolNotFound } },
      schema: {
        summary: 'Run a tool once',
        description:
          'Calls the webhook, or searches the knowledge groups, as a session does. Client and system tools run only in a session.',
        params: idPath,
        body: tryTool,
        response: { 200: toolTrial, ...errorAnswers(400, 404, 409) },
      },
    },
    async (request) => {
      const { organizationId } = callerOf(request);
      const tool = savedDefinition(control.vault, await findTool(control, organizationId, request.params.id));
      if (tool.kind !== 'webhook' && tool.kind !== 'rag') throw new HttpError(toolErrors.toolRunsInSessions);
      return runOnce(control, { organizationId, tool, args: request.body.arguments });
    },
  );
}
