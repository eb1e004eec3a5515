import type { Ending } from './problems.ts';

/** What the element tells the page, as DOM events named `parley:` and the name. They bubble. */
export interface WidgetEvents {
  readonly 'session-started': { readonly sessionId: string };
  readonly 'session-ended': { readonly reason: string };
  readonly 'message-sent': { readonly content: string };
  readonly 'message-received': { readonly role: 'user' | 'persona'; readonly content: string };
  readonly 'mic-muted': object;
  readonly 'mic-unmuted': object;
  readonly expanded: object;
  readonly minimized: object;
  readonly error: { readonly problem: Ending };
}
