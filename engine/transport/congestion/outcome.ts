/** What became of one packet. */
export interface Outcome {
  /** When it was reported. */
  readonly at: number;
  readonly bytes: number;
  readonly sentAt: number;
  /** On the receiver's clock; null: lost. */
  readonly receivedAt: number | null;
}

export type Received = Outcome & { readonly receivedAt: number };

export function isReceived(outcome: Outcome): outcome is Received {
  return outcome.receivedAt !== null;
}
