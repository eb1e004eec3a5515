import type { SessionConfig } from '../session-config.ts';

/**
 * Whether the session's brain is an agent of another service. It has its own prompt, its own greeting and tools, and says
 * itself when it speaks.
 */
export function isAgent({ llm }: Pick<SessionConfig, 'llm'>): boolean {
  return llm.kind === 'service' && llm.agent === true;
}
