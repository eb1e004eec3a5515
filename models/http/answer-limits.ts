import { ProviderError } from '../ports.ts';

/** Limits for reading an endpoint's answer. A customer's endpoint must not use the memory of all. */
export interface AnswerLimits extends SizeLimits {
  /**
   * From the request to the last byte, ms. An endpoint that sends a byte now and then would never time out otherwise.
   */
  readonly wholeMs: number;
}

/** Limits by bytes. */
export interface SizeLimits {
  /** Bytes of the whole answer, after decompression. */
  readonly bodyBytes: number;
  /**
   * Limits for what is parsed as a whole: a server-sent event, a line of JSON, a message of a socket. Events and lines
   * are passed on complete, so that no parser joins a long one piece by piece. Null: pieces of any size.
   */
  readonly unit: { readonly kind: 'event' | 'line' | 'message'; readonly bytes: number } | null;
}

/** Longest chain of causes that is followed. */
const MAX_CAUSES = 6;

/** An answer exceeded a limit. `message` continues a subject: "The model …". */
export class AnswerLimitError extends Error {
  readonly code: 'too-long' | 'too-late';

  constructor(code: AnswerLimitError['code'], message: string) {
    super(message);
    this.name = 'AnswerLimitError';
    this.code = code;
  }

  /** @param subject the sender, as the beginning of a sentence. */
  asProviderError(provider: string, subject: string): ProviderError {
    const code = this.code === 'too-late' ? 'timeout' : 'bad-response';
    return new ProviderError(provider, code, `${subject} ${this.message}.`, { cause: this });
  }

  /** The error, or the one that a client wrapped. */
  static in(error: unknown): AnswerLimitError | null {
    let current = error;
    for (let depth = 0; current instanceof Error && depth < MAX_CAUSES; depth += 1) {
      if (current instanceof AnswerLimitError) return current;
      current = current.cause;
    }
    return null;
  }
}

/**
 * Counts an answer: bytes of a body, or messages of a socket.
 * @throws AnswerLimitError from the method that exceeds a limit.
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
