import type { SessionConfig } from '../session-config.ts';

/** How a session begins (contract, section 2). */
export type Greeting = { readonly kind: 'none' } | { readonly kind: 'fixed'; readonly text: string } | { readonly kind: 'made-by-mind' };

export function greetingOf(config: Pick<SessionConfig, 'greeting' | 'mind' | 'enableAudioPassthrough' | 'groupCall'>): Greeting {
  const { greeting, mind } = config;
  if (greeting.skip || config.enableAudioPassthrough || config.groupCall) return { kind: 'none' };
  const text = greeting.initialMessage?.trim() ?? '';
  if (text !== '') return { kind: 'fixed', text };
  // Without a mind of its own the application speaks first.
  return mind.kind === 'service' ? { kind: 'made-by-mind' } : { kind: 'none' };
}
