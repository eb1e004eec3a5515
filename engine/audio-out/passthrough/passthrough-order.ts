/**
 * Which sequence a chunk of client-made speech belongs to. Chunks are numbered from 0 within a sequence. A sequence
 * ends with its end signal or when the next one starts.
 */
export interface PassthroughOrder {
  /** The next expected number; null between sequences. */
  readonly expected: number | null;
}

export const BETWEEN_SEQUENCES: PassthroughOrder = { expected: null };

export type PassthroughVerdict =
  /** The sound belongs to the current sequence. */
  | 'continue'
  /** It begins a sequence. */
  | 'begin'
  /** It begins a sequence while another was still open: that one ends first. */
  | 'end-and-begin'
  /** A repeated chunk, or one of a sequence that is over. */
  | 'drop';

/**
 * A gap is no reason to drop: the channel is ordered and reliable, so missing numbers were never sent. A number at or
 * below the last one is a repetition, except for 0, which begins a sequence, unless it directly repeats the first
 * chunk. After an end, the next sequence may begin at any number: some clients reset their count late.
 */
export function placeChunk(
  order: PassthroughOrder,
  sequence: number,
): { verdict: PassthroughVerdict; order: PassthroughOrder } {
  const next = { expected: sequence + 1 };
  if (!Number.isSafeInteger(sequence) || sequence < 0) return { verdict: 'drop', order };
  if (order.expected === null) return { verdict: 'begin', order: next };
  if (sequence >= order.expected) return { verdict: 'continue', order: next };
  if (sequence === 0 && order.expected > 1) return { verdict: 'end-and-begin', order: next };
  return { verdict: 'drop', order };
}
