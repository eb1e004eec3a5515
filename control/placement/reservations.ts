/** Places that are kept free for the sessions of scheduled meetings. */
export interface ReservedPlaces {
  /** @param organizationId only of this one. @param except of this invite not. @returns how many are kept free now. */
  count(organizationId: string | null, except: string | null): number;
}

interface Kept {
  readonly inviteId: string;
  readonly organizationId: string;
  /** ms since the epoch. */
  readonly from: number;
}

/** The places that this engine keeps, as its invites in the database say. */
export class Reservations implements ReservedPlaces {
  readonly #now: () => number;
  #kept: readonly Kept[] = [];

  /** @param now ms since the epoch. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Replaces what is known. */
  set(kept: readonly Kept[]): void {
    this.#kept = kept;
  }

  /** The session of this invite has its place, or none is needed any more. */
  drop(inviteId: string): void {
    this.#kept = this.#kept.filter((one) => one.inviteId !== inviteId);
  }

  count(organizationId: string | null, except: string | null): number {
    const now = this.#now();
    return this.#kept.filter(
      (one) =>
        one.from <= now &&
        one.inviteId !== except &&
        (organizationId === null || one.organizationId === organizationId),
    ).length;
  }
}
