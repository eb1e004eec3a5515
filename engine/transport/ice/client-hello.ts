import type { Timers } from '../../../runtime/clock.ts';

/**
 * When the ClientHello goes out again after a check that was answered, ms. A client may learn of its pair, and make its
 * side of DTLS ready, only after what follows that answer has come: Firefox drops it then, and checks no more. The peer
 * itself repeats it after 1 s (measured on fast networks: Firefox 1.0 s instead of 0.1 s).
 */
export const CLIENT_HELLO_AGAIN_MS: readonly number[] = [50, 100, 200, 400];

/**
 * The peer's ClientHello, until the client answers it. The peer usually sends the first one before the client knows of the
 * peer.
 */
export class ClientHello {
  readonly #timers: Timers;
  readonly #send: (datagram: Buffer) => void;
  #datagram: Buffer | null = null;
  #next: unknown = null;

  /** @param send has no effect while there is no path. */
  constructor(timers: Timers, send: (datagram: Buffer) => void) {
    this.#timers = timers;
    this.#send = send;
  }

  /** The peer has sent one, or sent it again. */
  came(datagram: Buffer): void {
    this.#datagram = Buffer.from(datagram);
    this.deliver();
  }

  /** There is a path, as far as the client knows: it goes out now and some more times. */
  deliver(): void {
    this.#stop();
    if (this.#datagram === null) return;
    this.#send(this.#datagram);
    this.#schedule(0);
  }

  /** The client has answered it, or there is another peer. */
  drop(): void {
    this.#stop();
    this.#datagram = null;
  }

  #schedule(index: number): void {
    const at = CLIENT_HELLO_AGAIN_MS[index];
    if (at === undefined) return;
    this.#next = this.#timers.setTimeout(
      () => {
        if (this.#datagram !== null) this.#send(this.#datagram);
        this.#schedule(index + 1);
      },
      at - (CLIENT_HELLO_AGAIN_MS[index - 1] ?? 0),
    );
  }

  #stop(): void {
    if (this.#next !== null) this.#timers.clearTimeout(this.#next);
    this.#next = null;
  }
}
