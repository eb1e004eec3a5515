import type { SlotLedger, SlotShare, SlotStarts, TakenSlot } from '../slot-ledger.ts';

/** What an engine process is told of a slot: it gives it back by its name. */
export type SlotAnswer = { readonly taken: true } | Exclude<TakenSlot, { readonly taken: true }>;

/** The slots that one engine process holds: all are free when it dies. */
export class HeldSlots {
  readonly #ledger: SlotLedger;
  readonly #held = new Map<string, () => void>();
  #isOver = false;

  constructor(ledger: SlotLedger) {
    this.#ledger = ledger;
  }

  async take(shares: readonly SlotShare[], starts: SlotStarts | null, slot: string): Promise<SlotAnswer> {
    const answer = await this.#ledger.take(shares, starts, slot);
    if (!answer.taken) return answer;
    this.#hold(slot, answer.giveBack);
    return { taken: true };
  }

  adopt(shares: readonly SlotShare[], slot: string): void {
    this.#hold(slot, this.#ledger.adopt(shares, slot));
  }

  drop(slot: string): void {
    const giveBack = this.#held.get(slot);
    this.#held.delete(slot);
    giveBack?.();
  }

  /** The process is gone. */
  dropAll(): void {
    this.#isOver = true;
    for (const slot of this.#held.keys()) this.drop(slot);
  }

  #hold(slot: string, giveBack: () => void): void {
    this.#held.set(slot, giveBack);
    // The answer of a slow ledger came after the end of its process.
    if (this.#isOver) this.drop(slot);
  }
}
