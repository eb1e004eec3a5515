import type { Address } from './address.ts';

/**
 * Which of the pairs that a client has proved to work is the selected one: the one that our packets take.
 *
 * RFC 8445 (sections 7.3.1.5 and 8.1.1): of several nominated pairs it is the one with the highest priority, whatever the
 * order of their nominations. Firefox nominates each pair that works, and so a worse one may come last. Chromium
 * nominates the pair that it uses, and another one when it moves, which may be a worse one as well. Both send on the pair
 * that they have selected. So what a client sends says more than what it has nominated.
 */

/** One of the client's addresses, with the candidate of ours that it checks. */
export interface ValidPair {
  readonly address: Address;
  priority: bigint;
  /** Of its last check. */
  generation: number;
  /** The last generation in which it was nominated; 0: none. */
  nominatedIn: number;
  /** When the client last nominated it or sent media from there; null: never. */
  usedAt: number | null;
}

/**
 * After this time without use of the selected pair, media from another one moves it: five packets of a microphone, one
 * or two reports of who has none. Until then they are late packets from before a move: those of a TCP connection are as
 * late as its queue is long. Both pairs work meanwhile.
 */
export const USE_MOVES_AFTER_MS = 100;

/**
 * The same for a nomination that says nothing new: of a worse pair, of one that was nominated before, or from before an
 * ICE restart. Longer than the checks of all candidates take on a slow network. The client has moved without sending
 * media: it has no microphone, and nothing of ours reaches it on which it could report.
 */
export const NOMINATION_MOVES_AFTER_MS = 1_000;

/**
 * Whether a nomination makes `pair` the selected one, before it is written down in the pair.
 * @param generation of the credentials in the check. @param at engine time, ms.
 */
export function nominationMoves(selected: ValidPair | null, pair: ValidPair, generation: number, at: number): boolean {
  if (selected === null) return true;
  if (selected === pair) return false;
  // An ICE restart begins anew.
  if (generation > selected.nominatedIn) return true;
  const isNews = generation === selected.nominatedIn && pair.nominatedIn < generation;
  if (isNews && pair.priority > selected.priority) return true;
  return isUnused(selected, at, NOMINATION_MOVES_AFTER_MS);
}

/** Whether media from `pair` makes it the selected one. */
export function useMoves(selected: ValidPair | null, pair: ValidPair, at: number): boolean {
  if (selected === null) return true;
  if (selected === pair) return false;
  const isFromBeforeRestart = pair.generation < selected.generation;
  return isUnused(selected, at, isFromBeforeRestart ? NOMINATION_MOVES_AFTER_MS : USE_MOVES_AFTER_MS);
}

function isUnused({ usedAt }: ValidPair, at: number, forMs: number): boolean {
  return usedAt === null || at - usedAt > forMs;
}
