import type { SessionConfig } from '../session-config.ts';
import { isHostedAgent } from '../settings/hosted-agent.ts';

/** How a session begins (contract, section 2). */
export type Greeting =
  | { readonly kind: 'none' }
  | { readonly kind: 'fixed'; readonly text: string }
  | { readonly kind: 'made-by-llm' };

export function greetingOf(
  config: Pick<SessionConfig, 'greeting' | 'llm' | 'enableAudioPassthrough' | 'meeting'>,
): Greeting {
  const { greeting, llm } = config;
  // An agent greets by itself.
  if (isHostedAgent(config)) return { kind: 'none' };
  if (greeting.skip || config.enableAudioPassthrough || config.meeting?.groupCall === true) return { kind: 'none' };
  const text = greeting.initialMessage?.trim() ?? '';
  if (text !== '') return { kind: 'fixed', text };
  // Without an LLM of its own the application speaks first.
  return llm.kind === 'service' ? { kind: 'made-by-llm' } : { kind: 'none' };
}
