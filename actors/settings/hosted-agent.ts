import type { SessionConfig } from '../session-config.ts';

/**
 * Whether an agent of another service takes the place of the LLM. Such an agent has its own prompt, greeting and tools,
 * and decides itself when it speaks.
 */
export function isHostedAgent({ llm }: Pick<SessionConfig, 'llm'>): boolean {
  return llm.kind === 'service' && llm.agent === true;
}
