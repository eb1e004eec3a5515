import { TokenBucket } from '../../../runtime/token-bucket.ts';
import type { IceCredentialMaker } from './credential-maker.ts';
import { bindingRefusal, type BindingRequest } from './stun.ts';

/** Each of 300 clients has a few pairs. What is beyond this is not examined: each check costs two HMACs. */
const EXAMINED = { atOnce: 2_000, perSecond: 1_000 };

/**
 * Answers to the checks of sessions that are not here: those that go on elsewhere, those of a process that died, and those
 * that are over. Their clients are told so, and do not wait until they notice by themselves. Time is engine time, in ms.
 */
export class Refusals {
  readonly #credentials: IceCredentialMaker;
  readonly #bucket: TokenBucket;

  constructor(credentials: IceCredentialMaker, now: number) {
    this.#credentials = credentials;
    this.#bucket = new TokenBucket(EXAMINED, now);
  }

  /** @returns the answer; null: the check is a stranger's, or there are too many. */
  to(request: BindingRequest, now: number): Buffer | null {
    if (!this.#bucket.has(1, now)) return null;
    this.#bucket.spend(1, now);
    const password = this.#credentials.passwordOf(request);
    return password === null ? null : bindingRefusal(request, password);
  }
}
