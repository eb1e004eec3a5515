import { randomUUID } from 'node:crypto';
import { checkArguments } from '../../actors/tools/schema/index.ts';
import { type App, callerOf, type Control } from '../context.ts';
import { detail, HttpError, invalid } from '../errors.ts';
import { errorAnswers, idPath } from '../schemas.ts';
import { toolErrors } from './tool-errors.ts';
import { findTool, savedDefinition } from './tool-rows.ts';
import { toolTrial, tryTool } from './tool-schema.ts';

/** A webhook may take a minute. */
const TRIAL_TIMEOUT_MS = 65_000;

/** Runs a saved tool outside of a conversation. */
export function toolTrialRoutes(app: App, control: Control): void {
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
      const row = await findTool(control, organizationId, request.params.id);
      const tool = savedDefinition(control.vault, row);
      if (tool.kind !== 'webhook' && tool.kind !== 'rag') throw new HttpError(toolErrors.toolRunsInSessions);
      const args = { ...request.body.arguments };
      const problems = checkArguments(tool.parameters, args);
      if (problems.length > 0) throw invalid(problems.map((problem) => detail('arguments', problem)));
      const startedAt = control.now();
      const trial = await control.ports.tools.run({
        organizationId,
        tool,
        args,
        callId: randomUUID(),
        knowledge: control.knowledge,
        signal: AbortSignal.timeout(TRIAL_TIMEOUT_MS),
      });
      return {
        ok: trial.ok,
        output: trial.output,
        documentsAccessed: [...trial.documentsAccessed],
        durationSeconds: (control.now() - startedAt) / 1000,
      };
    },
  );
}
