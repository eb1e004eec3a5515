import { ProviderError, type LlmNotice } from '../../../models/ports.ts';
import type { Logger } from '../../../runtime/log.ts';

/** Who is told how the language model of a session does: the operator's log, and of what it refuses the client, too. */
export function llmReports(tell: {
  readonly sessionId: string;
  readonly log: Logger;
  readonly warn: (code: string, text: string) => void;
}): { failed: (error: unknown) => void; noticed: (notice: LlmNotice) => void } {
  const { sessionId, log, warn } = tell;
  return {
    failed(error) {
      const reason = error instanceof ProviderError && { reason: error.reason };
      log.warn({ sessionId, err: error, ...reason }, 'the language model failed');
    },
    noticed({ kind, sentence }) {
      log.warn({ sessionId, kind, sentence }, 'the language model takes other requests');
      warn(kind === 'adapted' ? 'llm_adapted' : 'llm_odd_answer', sentence);
    },
  };
}
