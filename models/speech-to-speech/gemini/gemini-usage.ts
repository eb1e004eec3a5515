import type { Amounts } from '../../ports.ts';
import { geminiTokens, type ReportedTokens } from '../reported-tokens.ts';
import type { GeminiMessage } from './gemini-messages.ts';

/**
 * What the answers of a model cost. The service tells it with one or several messages of a turn, each time of all of the
 * turn so far, and mostly with the last one.
 */
export class GeminiUsage {
  readonly #tell: (amounts: Amounts) => void;
  #turn: 'none' | 'running' | 'complete' = 'none';
  #last: ReportedTokens | null = null;

  constructor(tell: (amounts: Amounts) => void) {
    this.#tell = tell;
  }

  /** The model begins to answer, whether somebody asks for it or not. */
  begin(): void {
    // Of the one before it is not known whether that was all.
    if (this.#last !== null) this.#tell(this.#last.tokens);
    this.#last = null;
    this.#turn = 'running';
    this.#tell({ requests: 1 });
  }

  take({ usageMetadata, serverContent }: GeminiMessage): void {
    if (this.#turn === 'none') return;
    this.#last = geminiTokens(usageMetadata) ?? this.#last;
    if (serverContent?.turnComplete === true) this.#turn = 'complete';
    if (this.#turn !== 'complete' || this.#last === null) return;
    const { tokens, isComplete } = this.#last;
    this.#tell({ ...tokens, ...(isComplete && { reportedRequests: 1 }) });
    this.#last = null;
    this.#turn = 'none';
  }
}
