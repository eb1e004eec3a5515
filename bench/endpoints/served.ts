import type { LlmDefinition } from '../../models/llm/index.ts';

/** One request to a server. */
export interface Served {
  readonly body: Record<string, unknown>;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Number of the request, from 1. */
  readonly number: number;
}

export interface Refused {
  readonly status: number;
  readonly body: unknown;
}

/** What the model of a server wants to say: words, or calls of tools. */
export type Reply =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'calls';
      readonly calls: readonly { readonly name: string; readonly args: Record<string, unknown> }[];
    };

/** A server on this machine with the habits of a real one. */
export interface Habits {
  readonly name: string;
  /** What it is known for, for the table. */
  readonly about: string;
  readonly definition: Partial<LlmDefinition> & Pick<LlmDefinition, 'format'>;
  /** @returns why the request is refused; null when it is not. */
  refuse(served: Served): Refused | null;
  /** Words that the model has read last, without results. */
  lastWords(served: Served): string;
  /** Results that came since these words. */
  results(served: Served): readonly string[];
  /** Names of the tools that are offered. */
  tools(served: Served): readonly string[];
  /** The body of the answer's stream. */
  write(reply: Reply, served: Served): string;
}
