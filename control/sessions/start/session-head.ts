import type { LanguageModel } from '../../../models/ports.ts';
import { type LlmDefinition, type TraceContext, SessionRestoreError } from '../../../engine/index.ts';
import type { CustomLlmUse, LlmProviders } from '../../ports.ts';
import type { SlotHolder } from '../../placement/session-slots.ts';

/** Which language model a session has, as text can say it. */
export type LlmSource =
  | { readonly kind: 'client' }
  | { readonly kind: 'stock'; readonly id: string }
  /** With its secret in the clear. */
  | { readonly kind: 'custom'; readonly definition: LlmDefinition; readonly use: CustomLlmUse };

/**
 * What the control plane needs to go on with a session of another process. It is in the first entry of the session's
 * journal, and has secrets.
 */
export interface SessionHead {
  /** Grows when another version could not read it. */
  readonly version: 1;
  readonly holder: SlotHolder;
  readonly llm: LlmSource;
  readonly onlyOrigin: string | null;
  /** ISO 8601, as in the session's row. */
  readonly startedAt: string;
  readonly startedBy: TraceContext | null;
  readonly shareLinkId: string | null;
}

export function writeHead(head: Omit<SessionHead, 'version'>): string {
  return JSON.stringify({ version: 1, ...head } satisfies SessionHead);
}

/** @throws SessionRestoreError when another version has written it. */
export function readHead(text: string): SessionHead {
  try {
    const head = JSON.parse(text) as SessionHead;
    if (head.version === 1) return head;
  } catch {
    // As below.
  }
  throw new SessionRestoreError('another version of Parley has written its journal');
}

/** @returns the model itself; null when the client thinks. @throws when the catalogue has it no more. */
export function modelOf(llms: LlmProviders, source: LlmSource): LanguageModel | null {
  switch (source.kind) {
    case 'client':
      return null;
    case 'stock':
      return llms.stock(source.id);
    case 'custom':
      return llms.custom(source.definition, source.use);
  }
}
