import type { IceCredentials } from '../credentials.ts';
import { isAuthentic, type BindingRequest } from '../stun.ts';

/** Whose a check is. */
export type Verdict<Owner> =
  | { readonly kind: 'of'; readonly owner: Owner }
  /** Its owner has died. The password is that of the check. */
  | { readonly kind: 'orphan'; readonly password: string }
  | { readonly kind: 'stranger' };

/**
 * How long checks with the credentials of an owner that died are recognized, ms. A client checks at least every 2.5 s, and
 * gives its connection up within half a minute.
 */
const ORPHANS_KEPT_MS = 60_000;
/**
 * Credentials of one owner: two of each session (those of the last two answers). A process has some hundred sessions; what
 * is beyond this was never removed.
 */
const MOST_OF_OWNER = 10_000;

interface Known<Owner> {
  readonly credentials: IceCredentials;
  readonly owner: Owner | null;
}

/** Which of several processes has the session that a check is for. Pure: times are given. */
export class CredentialTable<Owner> {
  readonly #known = new Map<string, Known<Owner>>();
  readonly #ofOwner = new Map<Owner, Set<string>>();
  readonly #orphans: { readonly at: number; readonly ufrags: readonly string[] }[] = [];

  get size(): number {
    return this.#known.size;
  }

  /** @returns false when the owner has too many. */
  add(owner: Owner, credentials: IceCredentials): boolean {
    let ufrags = this.#ofOwner.get(owner);
    if (ufrags === undefined) this.#ofOwner.set(owner, (ufrags = new Set()));
    if (ufrags.size >= MOST_OF_OWNER) return false;
    ufrags.add(credentials.ufrag);
    this.#known.set(credentials.ufrag, { credentials, owner });
    return true;
  }

  /** Nothing happens when another owner has them. */
  remove(owner: Owner, ufrag: string): void {
    if (this.#ofOwner.get(owner)?.delete(ufrag) === true) this.#known.delete(ufrag);
  }

  /** The owner is gone, and its clients do not know it. */
  died(owner: Owner, now: number): void {
    const ufrags = [...(this.#ofOwner.get(owner) ?? [])];
    this.#ofOwner.delete(owner);
    for (const ufrag of ufrags) this.#known.set(ufrag, { ...this.#known.get(ufrag)!, owner: null });
    if (ufrags.length > 0) this.#orphans.push({ at: now, ufrags });
  }

  /** Forgets orphans whose clients are gone, too. */
  sweep(now: number): void {
    while (this.#orphans[0] !== undefined && now - this.#orphans[0].at > ORPHANS_KEPT_MS)
      for (const ufrag of this.#orphans.shift()!.ufrags)
        if (this.#known.get(ufrag)?.owner === null) this.#known.delete(ufrag);
  }

  /** Whose it is, if its sender knows the password. */
  judge(request: BindingRequest): Verdict<Owner> {
    const known = this.#known.get(request.localUfrag);
    if (known === undefined || !isAuthentic(request, known.credentials.password)) return { kind: 'stranger' };
    const { password } = known.credentials;
    return known.owner === null ? { kind: 'orphan', password } : { kind: 'of', owner: known.owner };
  }
}
