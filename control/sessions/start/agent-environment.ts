import { agentAddress, type AgentSettings } from '../../../engine/providers.ts';
import { detail, invalid } from '../../errors/http-error.ts';
import type { ControlPorts } from '../../ports.ts';
import { socketProblem } from './socket-problem.ts';

const FIELD = 'environment.elevenLabsAgentSettings';

/** How a session names its brain that is an agent of ElevenLabs. */
export const AGENT_BRAIN = { llmId: 'elevenlabs_agent', displayName: 'ElevenLabs agent' };

/**
 * Checks what can be known of an agent without talking to it.
 * @throws HttpError 400
 */
export async function checkAgent(
  { publicUrls }: Pick<ControlPorts, 'publicUrls'>,
  settings: AgentSettings,
  { zeroDataRetention }: { readonly zeroDataRetention: boolean },
): Promise<AgentSettings> {
  const problem = await socketProblem(publicUrls, agentAddress(settings));
  if (problem !== null) throw invalid([detail(`${FIELD}.signedUrl`, problem)]);
  if (zeroDataRetention)
    throw invalid([
      detail(FIELD, 'The agent keeps what it is told: a persona with zero data retention cannot have it'),
    ]);
  return settings;
}
