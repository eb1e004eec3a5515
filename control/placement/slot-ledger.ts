/** A part of what a session takes: one of so many places. */
export interface SlotShare {
  /** What is counted, for example `organization:` with its id. */
  readonly key: string;
  /** Sessions at the same time; null: they are counted and not limited. */
  readonly limit: number | null;
  /** Places that are kept free for others. @defaultValue 0 */
  readonly reserved?: number;
}

/** How many sessions a token may start in its whole life. */
export interface SlotStarts {
  readonly tokenId: string;
  readonly most: number;
  /** ms since the epoch. The token starts nothing after that, and is forgotten. */
  readonly until: number;
}

export type TakenSlot =
  /** `giveBack` may be called more than once, and never throws. */
  | { readonly taken: true; readonly giveBack: () => void }
  /** `share` is the first one that is full; null: the token has started all its sessions. */
  | { readonly taken: false; readonly share: number | null };

/** Counts sessions: those of this process, or of all processes together. */
export interface SlotLedger {
  /**
   * Takes one place of every share or of none, in one step.
   * @param slot what the places are taken as. @defaultValue something that nobody else has
   * @throws HttpError 503 when nothing can be counted now.
   */
  take(shares: readonly SlotShare[], starts: SlotStarts | null, slot?: string): Promise<TakenSlot>;
  /**
   * Goes on with a slot of another process, whatever the limits say: it was counted when it was taken.
   * @returns gives it back, as `TakenSlot` does.
   */
  adopt(shares: readonly SlotShare[], slot: string): () => void;
  /** Another process goes on with this slot: this one does not hold it any more, and does not give it back. */
  leave(slot: string): void;
  /** Whether every share has a place now; false when nothing can be counted. Never rejects. */
  isFree(shares: readonly SlotShare[]): Promise<boolean>;
  /** @returns how many places of a share are taken. @throws when nothing can be counted now. */
  count(key: string): Promise<number>;
}
