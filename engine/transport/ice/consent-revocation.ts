import { randomBytes } from 'node:crypto';
import type { RevocationHandlers } from '../../ports.ts';
import type { Generation } from './public-path.ts';
import { bindingCheck, isBindingSuccess } from './stun.ts';

/** Between two checks of our own until one is answered, ms. The first ones may come before the client has given its path up. */
const CHECK_EVERY_MS = 20;
/**
 * Between two of them afterwards, ms. libwebrtc ends the connection whose check was refused a moment later, in another
 * turn of its thread. It may have answered with that one: then only another check makes it listen.
 */
const CHECK_AGAIN_EVERY_MS = 100;

/**
 * How a client is sent away, and goes on hearing and seeing meanwhile.
 *
 *   kept → refused → reached
 *
 * `kept`: everything is as it was, until the client's next check of the path in use. `refused`: libwebrtc gives a path up
 * whose check is refused, and drops what comes from there. A check of our own makes it listen again: for the client, that
 * comes from an address which it does not know (a peer-reflexive candidate, RFC 8445, section 7.3.1.3). `reached`: it has
 * answered. Its own checks of that path get no answer, so it sends nothing but checks, and its connection stays broken until
 * its next offer. The public client makes that after 2 s.
 *
 * A client with several networks (Wi-Fi, a VPN, IPv4 and IPv6) has a path by each. It goes on by the next one when one is
 * refused, and checks that within half a second, to be refused there, too. Pure: times are given.
 */
export class ConsentRevocation {
  readonly #handlers: RevocationHandlers;
  #state: 'kept' | 'refused' | 'reached' = 'kept';
  /** When the last check of our own went out, or the refusal. */
  #checkedAt = 0;
  readonly #transactionId = randomBytes(12);

  constructor(handlers: RevocationHandlers) {
    this.#handlers = handlers;
  }

  /** What becomes of a check. @param inUse our packets go to the address where it comes from. */
  takes(inUse: boolean, at: number): 'refuse' | 'ignore' {
    if (this.#state === 'reached' && inUse) return 'ignore';
    if (this.#state === 'kept' && inUse) {
      this.#state = 'refused';
      this.#checkedAt = at;
      this.#handlers.refused();
    }
    return 'refuse';
  }

  /** @returns a check that goes to the client before anything else does; null: none is due. */
  check({ credentials, client }: Generation, at: number): Buffer | null {
    if (this.#state === 'kept') return null;
    const every = this.#state === 'refused' ? CHECK_EVERY_MS : CHECK_AGAIN_EVERY_MS;
    if (at - this.#checkedAt < every) return null;
    this.#checkedAt = at;
    return bindingCheck(this.#transactionId, credentials, client);
  }

  /** @returns whether the datagram answers a check of ours. */
  answered(datagram: Buffer): boolean {
    if (!isBindingSuccess(datagram, this.#transactionId)) return false;
    if (this.#state === 'refused') {
      this.#state = 'reached';
      this.#handlers.reached();
    }
    return true;
  }
}
