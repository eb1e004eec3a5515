import type { ReadAllowances } from '../../runtime/read-rate-limit.ts';
import { TokenBucket } from '../../runtime/token-bucket.ts';
import type { ServerEvent } from './server-events.ts';

const MIB = 1024 * 1024;

/**
 * How fast a server's socket is read. A second of sound is 64 kB in base64; servers send an answer ten times faster
 * than it is heard, each tenth of a second and each word as a message of its own.
 */
export const READING: ReadAllowances = {
  messages: { atOnce: 2_000, perSecond: 200 },
  bytes: { atOnce: 8 * MIB, perSecond: MIB },
};
/** Items that a model remembers: 40 hours of conversation. Each is compared with the session's own. */
const MAX_ITEMS = 5_000;
/** Answers that have begun and not ended. A server makes one at a time, and one more for a text that is read. */
const MAX_RESPONSES = 64;
const MAX_CALLS = 64;
/** Of one answer, UTF-16 units: ten minutes of fast speech are 15,000. */
const MAX_TEXT_LENGTH = 64 * 1024;
/** Of one answer, in base64: ten minutes. */
const MAX_SOUND = 10 * 60 * 64_000;
/** What the user said, and is not settled yet. */
const MAX_HEARD = 100;
/** Voices that begin and end, audio that was taken, errors. */
export const SIGNALS = { atOnce: 300, perSecond: 20 };

interface Sizes {
  text: number;
  sound: number;
  calls: number;
}

/** What one connection of a server may tell a session. Everything of it is kept, compared or passed on. */
export class EventLimits {
  readonly #now: () => number;
  readonly #signals: TokenBucket;
  readonly #responses = new Map<string, Sizes>();
  readonly #heard = new Map<string, number>();
  #items = 0;

  /** @param now ms. */
  constructor(now: () => number) {
    this.#now = now;
    this.#signals = new TokenBucket(SIGNALS, now());
  }

  /** @throws RangeError: whoever sends so much is no model, and the connection is not worth keeping. */
  take(event: ServerEvent): void {
    switch (event.type) {
      case 'item':
        this.#items += 1;
        return within(this.#items, MAX_ITEMS, 'items');
      case 'deleted':
        this.#items -= 1;
        return;
      case 'user-words':
        this.#heard.set(event.itemId, (this.#heard.get(event.itemId) ?? 0) + event.text.length);
        within(this.#heard.size, MAX_HEARD, 'messages of the user at once');
        return within(this.#heard.get(event.itemId)!, MAX_TEXT_LENGTH, 'characters of the user');
      case 'user-text':
        this.#heard.delete(event.itemId);
        return within(event.text?.length ?? 0, MAX_TEXT_LENGTH, 'characters of the user');
      case 'text':
        return within(
          (this.#of(event.responseId).text += event.text.length),
          MAX_TEXT_LENGTH,
          'characters of an answer',
        );
      case 'audio':
        return within((this.#of(event.responseId).sound += event.base64.length), MAX_SOUND, 'bytes of sound');
      case 'call':
        return within((this.#of(event.responseId).calls += 1), MAX_CALLS, 'calls in an answer');
      case 'response-done':
        this.#responses.delete(event.responseId);
        return this.#signal();
      case 'response':
        this.#of(event.responseId);
        return this.#signal();
      default:
        return this.#signal();
    }
  }

  #of(responseId: string): Sizes {
    const sizes = this.#responses.get(responseId) ?? { text: 0, sound: 0, calls: 0 };
    this.#responses.set(responseId, sizes);
    within(this.#responses.size, MAX_RESPONSES, 'answers at once');
    return sizes;
  }

  #signal(): void {
    if (this.#signals.spend(1, this.#now()) > 0) throw new RangeError('The server tells too much at once.');
  }
}

function within(amount: number, most: number, what: string): void {
  if (amount > most) throw new RangeError(`The server sent more than ${most} ${what}.`);
}
