import { hash } from 'node:crypto';
import { isoTime } from '../../actors/kernel/iso-time.ts';
import type { Caller } from './caller.ts';

/** How long a credential is trusted without another database query: one that is taken back stops working within this time. */
const CACHE_TTL_MS = 2000;
/** How many credentials are remembered at a time: guesses must not fill the memory. */
const MAX_CACHED = 10_000;
/** How often the last use of a credential is written. */
const LAST_USE_MS = 60_000;

/** What authentication asks of each kind of credential. */
export interface CallerLookup {
  /** @returns the owner of the credential if it is fresh in memory, else null: then call `identify`. */
  cached(secret: string): Caller | null;
  /** Whether the credential was valid when it was last looked up, however long ago. */
  wasValid(secret: string): boolean;
  /** @returns the owner of the credential, or null when it is unknown or was taken back. */
  identify(secret: string): Promise<Caller | null>;
}

interface CachedCaller {
  readonly caller: Caller;
  readonly until: number;
}

/** Looks up random secrets by their hash, and remembers for a moment whose they are. */
export abstract class CredentialCache implements CallerLookup {
  readonly #now: () => number;
  readonly #cache = new Map<string, CachedCaller>();
  /** When the use of a credential was last written, by the id of its row. */
  readonly #usesNoted = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whose it is, by the database. */
  protected abstract find(hash: string): Promise<Caller | null>;

  /** Notes that a credential was used. @param write is given the time, at most once a minute for each row. */
  protected noteUse(id: string, write: (at: string) => Promise<unknown>): void {
    const now = this.#now();
    if (now - (this.#usesNoted.get(id) ?? 0) < LAST_USE_MS) return;
    if (this.#usesNoted.size >= MAX_CACHED) this.#usesNoted.clear();
    this.#usesNoted.set(id, now);
    // A store that cannot write it will refuse the request itself.
    write(isoTime(now)).catch(() => {});
  }

  cached(secret: string): Caller | null {
    const known = this.#cache.get(hashOf(secret));
    return known !== undefined && known.until > this.#now() ? known.caller : null;
  }

  wasValid(secret: string): boolean {
    return this.#cache.has(hashOf(secret));
  }

  async identify(secret: string): Promise<Caller | null> {
    const hash = hashOf(secret);
    const now = this.#now();
    const caller = await this.find(hash);
    if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
    // Unknown ones are not remembered: a key that is created now must work at once.
    if (caller === null) this.#cache.delete(hash);
    else this.#cache.set(hash, { caller, until: now + CACHE_TTL_MS });
    return caller;
  }

  /** The next request looks again. */
  forget(ofCaller: (caller: Caller) => boolean): void {
    for (const [hash, { caller }] of this.#cache) if (ofCaller(caller)) this.#cache.delete(hash);
  }
}

/** Secrets are random, so a slow hash would add nothing. */
export function hashOf(secret: string): string {
  return hash('sha256', secret);
}
