import { finalText, takeFinal, type OpenTurn } from './user-turn.ts';

/**
 * A turn that was decided before all of its words were known, because a recogniser (a busy machine, a slow provider)
 * took longer than anybody waits in silence.
 */
export interface OwedTurn {
  /** `finalsAwaited` finals of it are still to come; they come before those of any later turn. */
  readonly turn: OpenTurn;
  /** 'known': it was decided on its partial text, or nobody cares: what comes is no news. */
  readonly words: 'missing' | 'known';
}

/** The hearing answers within 8 s, if only with nothing. What is older will not come any more. */
const OWED_FOR_MS = 15_000;

/** @param turn as it was when it was given up. @returns `owed`, oldest first, with it if finals of it are still to come. */
export function owe(owed: readonly OwedTurn[], turn: OpenTurn): readonly OwedTurn[] {
  if (turn.finalsAwaited === 0) return owed;
  const words = turn.partial.trim() === '' && turn.place !== 'not-for-floor' ? 'missing' : 'known';
  return [...owed, { turn: { ...turn, parts: [], partial: '' }, words }];
}

export function stillOwed(owed: readonly OwedTurn[], now: number): readonly OwedTurn[] {
  return owed.filter(({ turn }) => now - turn.finalAskedAt < OWED_FOR_MS);
}

/** Takes a final that is owed. @returns what is still owed, and the oldest turn once its missing words are complete. */
export function takeOwed(owed: readonly OwedTurn[], text: string, language: string | null, at: number): { readonly owed: readonly OwedTurn[]; readonly complete: OpenTurn | null } {
  const [oldest, ...rest] = stillOwed(owed, at);
  if (oldest === undefined) return { owed: [], complete: null };
  const turn = takeFinal(oldest.turn, text, language, at);
  if (turn.finalsAwaited > 0) return { owed: [{ ...oldest, turn }, ...rest], complete: null };
  return { owed: rest, complete: oldest.words === 'missing' && finalText(turn) !== '' ? turn : null };
}
