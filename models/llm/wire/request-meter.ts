import type { Amounts, LlmRequest } from '../../ports.ts';
import { RefusedError } from './answer-reader.ts';
import { ReportedUsage } from './reported-usage.ts';

/**
 * Tells what one request to an endpoint costs: first that there is one, and at its end the tokens that the endpoint has told.
 * One that was left before its end has cost an unknown number of them, unless the endpoint told it on the way.
 */
export class RequestMeter {
  readonly usage = new ReportedUsage();
  readonly #tell: (amounts: Amounts) => void;
  /** `free`: the endpoint did nothing for it. */
  #state: 'sent' | 'answered' | 'whole' | 'free' = 'sent';

  constructor(provider: string, { metered }: Pick<LlmRequest, 'metered'>) {
    this.#tell = (amounts) => metered?.({ provider, place: 0, amounts });
    this.#tell({ requests: 1 });
  }

  answered(): void {
    this.#state = 'answered';
  }

  /** Nothing more comes. */
  whole(): void {
    this.#state = 'whole';
  }

  /** For another reason than that nobody wants the answer any more. */
  failed(error: unknown): void {
    if (this.#state === 'sent' || (error instanceof RefusedError && !this.usage.isKnown)) this.#state = 'free';
  }

  over(): void {
    const { isKnown, tokens } = this.usage;
    const isTold = this.#state === 'free' || (this.#state === 'whole' && isKnown);
    if (isKnown || isTold) this.#tell({ ...(isKnown && tokens), ...(isTold && { reportedRequests: 1 }) });
  }
}
