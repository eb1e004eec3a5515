/** Messages that wait for a channel. If there are more, the oldest are dropped. */
export const MAX_WAITING = 200;

interface Waiting {
  readonly text: string;
  /** Messages of a session are counted from 1. */
  readonly number: number;
}

interface Entry extends Waiting {
  /** When the channel took it. */
  readonly sentAt: number;
  /** By then it was under way, and what the client had sent before was read; null: perhaps not yet. */
  leftAt: number | null;
}

/** Text of the conversation is dropped last. The start of a message tells whether it is such text. */
const SPEECH = /^\s*\{\s*"messageType"\s*:\s*"(?:speechText|reasoningText)"/;

/**
 * The messages for one client, in order, across restarts of ICE and exchanged peers.
 *
 * While a peer lives, every message that it took arrives once and in order (SCTP ensures it, also through an ICE
 * restart). When a peer dies in an outage, or the client comes with another peer connection, messages that are known to
 * have arrived are not repeated. All others are sent again, in order, on the next peer. The native library does not
 * tell what was acknowledged, nor does the client's protocol, so arrival is inferred from what the client sent and
 * reported afterwards (`confirmed`). At the edge, about the last 20 ms before the connection broke, a message can come
 * twice; one that was lost just before can be missing. Messages from the client are repeated by the client's own
 * channel, as long as the peer is kept.
 */
export class Outbox {
  #waiting: Waiting[] = [];
  #unconfirmed: Entry[] = [];
  /** The number of the last message. */
  #last: number;

  /** @param before the number of the last message that another process has brought. */
  constructor(before = 0) {
    this.#last = before;
  }

  /** The last of those messages that have all arrived, or were given up. */
  get arrived(): number {
    return (this.#unconfirmed[0]?.number ?? this.#waiting[0]?.number ?? this.#last + 1) - 1;
  }

  /** The last message that a channel took, and that does not wait again. */
  get sent(): number {
    return (this.#waiting[0]?.number ?? this.#last + 1) - 1;
  }

  /** Messages not yet taken by a channel. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** When a channel took the latest message that is not known to have arrived; null: there is no such message. */
  get sentAt(): number | null {
    return this.#unconfirmed.at(-1)?.sentAt ?? null;
  }

  /**
   * When a channel took the first message after `at` that is not known to have arrived; null: there is no such message.
   */
  sentAfter(at: number | null): number | null {
    return this.#unconfirmed.find(({ sentAt }) => sentAt > (at ?? Number.NEGATIVE_INFINITY))?.sentAt ?? null;
  }

  push(text: string): void {
    this.#last += 1;
    this.#wait({ text, number: this.#last });
  }

  /**
   * Hands over what waits, until `send` refuses. @returns is called with the time at which all of it is under way; null:
   * nothing was taken.
   */
  flush(send: (text: string) => boolean, at: number): ((leftAt: number) => void) | null {
    const taken: Entry[] = [];
    for (const message of this.#waiting) {
      if (!send(message.text)) break;
      taken.push({ ...message, sentAt: at, leftAt: null });
    }
    if (taken.length === 0) return null;
    this.#waiting = this.#waiting.slice(taken.length);
    this.#unconfirmed.push(...taken);
    return (leftAt) => {
      for (const entry of taken) entry.leftAt = leftAt;
    };
  }

  /** The client has shown that it received what had left by `at`. */
  confirmed(at: number): void {
    const open = this.#unconfirmed.findIndex(({ leftAt }) => leftAt === null || leftAt > at);
    this.#unconfirmed = open < 0 ? [] : this.#unconfirmed.slice(open);
  }

  /** The peer is gone. What it had taken and the client has not confirmed waits again, before everything else. */
  returnUnconfirmed(): void {
    const returned = this.#unconfirmed.splice(0);
    const later = this.#waiting;
    this.#waiting = [];
    for (const { text, number } of [...returned, ...later]) this.#wait({ text, number });
  }

  #wait(message: Waiting): void {
    this.#waiting.push(message);
    if (this.#waiting.length <= MAX_WAITING) return;
    const expendable = this.#waiting.findIndex(({ text }) => !SPEECH.test(text));
    this.#waiting.splice(Math.max(0, expendable), 1);
  }
}
