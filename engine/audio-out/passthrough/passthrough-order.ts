/**
 * Which chunks of client-made speech belong to what. Chunks are numbered from 0 within a sequence; a sequence ends by
 * its end signal or because the next one starts.
 */
export interface PassthroughOrder {
  /** The number that comes next; null between sequences. */
  readonly expected: number | null;
}

export const BETWEEN_SEQUENCES: PassthroughOrder = { expected: null };

export type PassthroughVerdict =
  /** The sound belongs to the current sequence. */
  | 'continue'
  /** It begins one. */
  | 'begin'
  /** It begins one while another was still open: that one ends first. */
  | 'end-and-begin'
  /** Seen before, or from a sequence that is over. */
  | 'drop';

/**
 * A gap is no reason to drop: the channel is ordered and reliable, so numbers that are missing were never sent. A
 * number at or below the last one is a repetition, except 0, which begins a sequence, unless it repeats the first chunk
 * directly. After an end the next sequence may begin at any number: clients that reset late are understood.
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
