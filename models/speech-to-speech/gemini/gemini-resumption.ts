import type { ServerEvent, ServerItem } from '../server-events.ts';
import type { ConversationItem } from './gemini-conversation.ts';

/**
 * How a session goes on with another connection: the newest handle that the service gave, and what the model knew then.
 * A handle is good for two hours. https://ai.google.dev/gemini-api/docs/live-session
 */
export class GeminiResumption {
  /** Sound of the model's messages, bytes. */
  readonly sounds = new Map<string, number>();
  /** How many items the session has had. */
  items = 0;
  #state: { readonly handle: string; readonly known: readonly ConversationItem[] } | null = null;

  get handle(): string | null {
    return this.#state?.handle ?? null;
  }

  get known(): readonly ConversationItem[] {
    return this.#state?.known ?? [];
  }

  keep(handle: string, known: readonly ConversationItem[]): void {
    this.#state = { handle, known };
  }

  /** The model is to forget something, or the service did not take the handle. */
  drop(): void {
    this.#state = null;
  }
}

/** @returns what a service would tell of an item that it has. */
export function knownItem({ id, kind, text, callId, name }: ConversationItem): ServerEvent {
  const item = { id, role: null, callId, name, arguments: '', text };
  return {
    type: 'item',
    after: null,
    item: { ...item, ...OF_KIND[kind], ...(kind === 'call' && { arguments: text }) },
  };
}

const OF_KIND: Readonly<
  Record<ConversationItem['kind'], Pick<ServerItem, 'kind'> & Partial<Pick<ServerItem, 'role'>>>
> = {
  user: { kind: 'message', role: 'user' },
  assistant: { kind: 'message', role: 'assistant' },
  system: { kind: 'message', role: 'system' },
  call: { kind: 'function_call' },
  result: { kind: 'function_call_output' },
};
