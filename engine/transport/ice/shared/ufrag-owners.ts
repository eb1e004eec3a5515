/**
 * User names of one owner: four of each session at most (`public-path.ts`). A process has some hundred sessions; what is
 * beyond this was never removed.
 */
const MAX_UFRAGS_OF_OWNER = 10_000;

/** Which of several processes has the session that a check is for, by its ICE user name. */
export class UfragOwners<Owner> {
  readonly #owners = new Map<string, Owner>();
  readonly #ofOwner = new Map<Owner, Set<string>>();

  get size(): number {
    return this.#owners.size;
  }

  /** @returns false when the owner has too many. */
  add(owner: Owner, ufrag: string): boolean {
    let ufrags = this.#ofOwner.get(owner);
    if (ufrags === undefined) this.#ofOwner.set(owner, (ufrags = new Set()));
    if (ufrags.size >= MAX_UFRAGS_OF_OWNER) return false;
    ufrags.add(ufrag);
    this.#owners.set(ufrag, owner);
    return true;
  }

  /** Nothing happens when another owner has it. */
  remove(owner: Owner, ufrag: string): void {
    if (this.#ofOwner.get(owner)?.delete(ufrag) === true) this.#owners.delete(ufrag);
  }

  /** The owner is gone. */
  removeAllOf(owner: Owner): void {
    for (const ufrag of this.#ofOwner.get(owner) ?? []) this.#owners.delete(ufrag);
    this.#ofOwner.delete(owner);
  }

  ownerOf(ufrag: string): Owner | null {
    return this.#owners.get(ufrag) ?? null;
  }
}
