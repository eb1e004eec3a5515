import { ProviderError } from '../ports.ts';

/** How much of an endpoint's answer is read. The endpoint may be a customer's; the memory is everybody's. */
export interface AnswerLimits extends SizeLimits {
  /** From the request to the last byte, ms. An endpoint that sends a byte now and then never falls silent. */
  readonly wholeMs: number;
}

/** What can be seen from the bytes alone. */
export interface SizeLimits {
  /** Bytes of the whole answer, after decompression. */
  readonly bodyBytes: number;
  /**
   * What a receiver understands only as a whole: a server-sent event, a line of JSON, a message of a socket. Events and
   * lines are handed on complete, so that no parser joins a long one piece by piece. Null: any piece will do.
   */
  readonly unit: { readonly kind: 'event' | 'line' | 'message'; readonly bytes: number } | null;
}

/** Errors of clients have their cause inside, and that one its own. */
const MOST_CAUSES = 6;

/** An answer went beyond a limit. `message` goes on from a subject: "The model …". */
export class AnswerLimitError extends Error {
  readonly code: 'too-long' | 'too-late';

  constructor(code: AnswerLimitError['code'], message: string) {
    super(message);
    this.name = 'AnswerLimitError';
    this.code = code;
  }

  /** @param subject who sent the answer, as a sentence begins. */
  asProviderError(provider: string, subject: string): ProviderError {
    const code = this.code === 'too-late' ? 'timeout' : 'bad-response';
    return new ProviderError(provider, code, `${subject} ${this.message}.`, { cause: this });
  }

  /** The error itself, or the one that a client wrapped. */
  static in(error: unknown): AnswerLimitError | null {
    let current = error;
    for (let depth = 0; current instanceof Error && depth < MOST_CAUSES; depth += 1) {
      if (current instanceof AnswerLimitError) return current;
      current = current.cause;
    }
    return null;
  }
}

/**
 * Counts an answer, in whichever pieces it comes: bytes of a body, messages of a socket.
 * @throws AnswerLimitError from the method that passes a limit.
 */
export class AnswerMeter {
  readonly #limits: SizeLimits;
  #bytes = 0;

  constructor(limits: SizeLimits) {
    this.#limits = limits;
  }

  received(bytes: number): void {
    const { bodyBytes } = this.#limits;
    this.#bytes += bytes;
    if (this.#bytes > bodyBytes) throw new AnswerLimitError('too-long', `sent more than ${sizeOf(bodyBytes)}`);
  }

  /** @param bytes of the event, line or message so far. */
  unit(bytes: number): void {
    const { unit } = this.#limits;
    if (unit === null || bytes <= unit.bytes) return;
    const article = unit.kind === 'event' ? 'an' : 'a';
    throw new AnswerLimitError('too-long', `sent ${article} ${unit.kind} of more than ${sizeOf(unit.bytes)}`);
  }
}

function sizeOf(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.round(bytes / 1024 / 1024)} MiB` : `${Math.round(bytes / 1024)} KiB`;
}
