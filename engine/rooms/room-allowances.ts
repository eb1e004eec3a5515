import type { Timers } from '../../runtime/clock.ts';
import { type Allowance, TokenBucket } from '../../runtime/token-bucket.ts';

const MIB = 1024 * 1024;

/**
 * What may come over a room's data channels: agents send minutes of speech at once, in chunks of 20 ms or more. Five minutes
 * of 20 ms are 15,000, and of 48 kHz 28 MB; after that, ten times real time.
 */
const DATA: { readonly messages: Allowance; readonly bytes: Allowance } = {
  messages: { atOnce: 16_000, perSecond: 500 },
  bytes: { atOnce: 32 * MIB, perSecond: MIB },
};
/** What an agent may send in vain. It is heard no more as it speaks: whoever goes on then wants something else. */
const MAX_DROPPED = { messages: 20_000, bytes: 32 * MIB };
/** A server answers each frame of 40 ms with a report, and asks for what got lost. */
const FEEDBACK: Allowance = { atOnce: 1_000, perSecond: 200 };

export interface AllowanceHandlers {
  /** Called once for each kind. */
  exceeded(kind: 'data' | 'feedback'): void;
  /** So much was dropped that the room is not worth staying in: each message costs, read or not. */
  tooMuch(): void;
}

/** What a room may send to a persona. Above it, things are dropped before they are read. */
export class RoomAllowances {
  readonly #timers: Pick<Timers, 'now'>;
  readonly #handlers: AllowanceHandlers;
  readonly #messages: TokenBucket;
  readonly #bytes: TokenBucket;
  readonly #feedback: TokenBucket;
  readonly #told = new Set<'data' | 'feedback'>();
  readonly #dropped = { messages: 0, bytes: 0 };

  constructor(timers: Pick<Timers, 'now'>, handlers: AllowanceHandlers) {
    this.#timers = timers;
    this.#handlers = handlers;
    const now = timers.now();
    this.#messages = new TokenBucket(DATA.messages, now);
    this.#bytes = new TokenBucket(DATA.bytes, now);
    this.#feedback = new TokenBucket(FEEDBACK, now);
  }

  /** @param bytes of a message of a data channel. @returns whether it may be read. */
  admitsData(bytes: number): boolean {
    const now = this.#timers.now();
    if (!this.#messages.has(1, now) || !this.#bytes.has(bytes, now)) return this.#drop(bytes);
    this.#messages.spend(1, now);
    this.#bytes.spend(bytes, now);
    return true;
  }

  /** @returns whether a compound of RTCP may be read. */
  admitsFeedback(): boolean {
    const now = this.#timers.now();
    if (!this.#feedback.has(1, now)) return this.#refuse('feedback');
    this.#feedback.spend(1, now);
    return true;
  }

  #drop(bytes: number): false {
    this.#dropped.messages += 1;
    this.#dropped.bytes += bytes;
    this.#refuse('data');
    const { messages, bytes: volume } = this.#dropped;
    if (messages > MAX_DROPPED.messages || volume > MAX_DROPPED.bytes) this.#handlers.tooMuch();
    return false;
  }

  #refuse(kind: 'data' | 'feedback'): false {
    if (!this.#told.has(kind)) {
      this.#told.add(kind);
      this.#handlers.exceeded(kind);
    }
    return false;
  }
}
