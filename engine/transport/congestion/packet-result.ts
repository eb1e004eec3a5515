/** What became of one packet. */
export interface PacketResult {
  /** When it was reported. */
  readonly at: number;
  readonly bytes: number;
  readonly sentAt: number;
  /** On the receiver's clock; null: lost. */
  readonly receivedAt: number | null;
}

export type ReceivedPacket = PacketResult & { readonly receivedAt: number };

export function isReceived(result: PacketResult): result is ReceivedPacket {
  return result.receivedAt !== null;
}
