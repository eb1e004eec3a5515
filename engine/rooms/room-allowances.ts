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
/** A server answers each frame of 40 ms with a report, and asks for what got lost. */
const FEEDBACK: Allowance = { atOnce: 1_000, perSecond: 200 };

/** What a room may send to a persona. Above it, things are dropped before they are read. */
export class RoomAllowances {
  readonly #timers: Pick<Timers, 'now'>;
  readonly #exceeded: (kind: 'data' | 'feedback') => void;
  readonly #messages: TokenBucket;
  readonly #bytes: TokenBucket;
  readonly #feedback: TokenBucket;
  readonly #told = new Set<'data' | 'feedback'>();

  /** @param exceeded called once for each kind. */
  constructor(timers: Pick<Timers, 'now'>, exceeded: (kind: 'data' | 'feedback') => void) {
    this.#timers = timers;
    this.#exceeded = exceeded;
    const now = timers.now();
    this.#messages = new TokenBucket(DATA.messages, now);
    this.#bytes = new TokenBucket(DATA.bytes, now);
    this.#feedback = new TokenBucket(FEEDBACK, now);
  }

  /** @param bytes of a message of a data channel. @returns whether it may be read. */
  admitsData(bytes: number): boolean {
    const now = this.#timers.now();
    if (!this.#messages.has(1, now) || !this.#bytes.has(bytes, now)) return this.#refuse('data');
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

  #refuse(kind: 'data' | 'feedback'): false {
    if (!this.#told.has(kind)) {
      this.#told.add(kind);
      this.#exceeded(kind);
    }
    return false;
  }
}
