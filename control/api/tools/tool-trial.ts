import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { ToolDefinition } from '../../../actors/session-config.ts';
import { checkArguments } from '../../../actors/tools/schema/index.ts';
import { detail, invalid } from '../../errors/http-error.ts';
import { secondsOf } from '../../http/seconds.ts';
import type { toolTrial } from './tool-schema.ts';
import type { ControlPorts } from '../../ports.ts';
import type { Knowledge } from '../knowledge/knowledge.ts';

/** A webhook, or a call of an MCP server, may take a minute. */
const TRIAL_TIMEOUT_MS = 65_000;

/** Runs a tool once, as a session does. @throws HttpError 400 when the tool does not take these arguments. */
export async function runOnce(
  control: { readonly ports: Pick<ControlPorts, 'tools'>; readonly knowledge: Knowledge; readonly now: () => number },
  request: {
    readonly organizationId: string;
    readonly tool: Extract<ToolDefinition, { parameters: unknown }>;
    readonly args: Readonly<Record<string, unknown>>;
  },
): Promise<z.infer<typeof toolTrial>> {
  // The check completes the arguments.
  const args = { ...request.args };
  const problems = checkArguments(request.tool.parameters, args);
  if (problems.length > 0) throw invalid(problems.map((problem) => detail('arguments', problem)));
  const startedAt = control.now();
  const { ok, output, documentsAccessed } = await control.ports.tools.run({
    organizationId: request.organizationId,
    tool: request.tool,
    args,
    callId: randomUUID(),
    knowledge: control.knowledge,
    signal: AbortSignal.timeout(TRIAL_TIMEOUT_MS),
  });
  return {
    ok,
    output,
    documentsAccessed: [...documentsAccessed],
    durationSeconds: secondsOf(control.now() - startedAt),
  };
}
