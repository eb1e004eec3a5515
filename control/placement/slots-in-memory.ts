import { randomUUID } from 'node:crypto';
import type { SlotLedger, SlotShare, SlotStarts, TakenSlot } from './slot-ledger.ts';

/** Counts the sessions of this process. */
export class SlotsInMemory implements SlotLedger {
  readonly #now: () => number;
  readonly #held = new Map<string, number>();
  /** By slot: gives it back. */
  readonly #slots = new Map<string, () => void>();
  /** By visitor's token, in the order of their first start. */
  readonly #starts = new Map<string, { count: number; readonly until: number }>();

  /** @param now ms since the epoch. */
  constructor(now: () => number) {
    this.#now = now;
  }

  async take(shares: readonly SlotShare[], starts: SlotStarts | null, slot: string = randomUUID()): Promise<TakenSlot> {
    if (starts !== null && (this.#starts.get(starts.tokenId)?.count ?? 0) >= starts.most)
      return { taken: false, share: null };
    const full = shares.findIndex((share) => !this.#hasPlace(share));
    if (full !== -1) return { taken: false, share: full };
    if (starts !== null) this.#noteStart(starts);
    return { taken: true, giveBack: this.adopt(shares, slot) };
  }

  adopt(shares: readonly SlotShare[], slot: string): () => void {
    for (const { key } of shares) this.#held.set(key, this.#count(key) + 1);
    let held = true;
    const giveBack = (): void => {
      if (!held) return;
      held = false;
      this.#slots.delete(slot);
      for (const { key } of shares) this.#giveBack(key);
    };
    this.#slots.set(slot, giveBack);
    return giveBack;
  }

  leave(slot: string): void {
    this.#slots.get(slot)?.();
  }

  async isFree(shares: readonly SlotShare[]): Promise<boolean> {
    return shares.every((share) => this.#hasPlace(share));
  }

  async count(key: string): Promise<number> {
    return this.#count(key);
  }

  #hasPlace({ key, limit, reserved = 0 }: SlotShare): boolean {
    return limit === null || this.#count(key) + reserved < limit;
  }

  #noteStart({ tokenId, until }: SlotStarts): void {
    const now = this.#now();
    // All tokens of visitors live equally long, so expired ones are at the front.
    for (const [id, starts] of this.#starts) {
      if (starts.until > now) break;
      this.#starts.delete(id);
    }
    const starts = this.#starts.get(tokenId);
    if (starts === undefined) this.#starts.set(tokenId, { count: 1, until });
    else starts.count += 1;
  }

  #count(key: string): number {
    return this.#held.get(key) ?? 0;
  }

  #giveBack(key: string): void {
    const left = this.#count(key) - 1;
    if (left > 0) this.#held.set(key, left);
    else this.#held.delete(key);
  }
}
