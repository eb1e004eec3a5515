import { finalText, takeFinal, type OpenTurn } from './user-turn.ts';

/**
 * A turn that was decided before all of its words were known, because a recognizer (a busy machine, a slow provider)
 * took longer than anybody waits in silence.
 */
export interface AwaitedTurn {
  /** The finals in `asked` are still to come; they come before those of any later turn. */
  readonly turn: OpenTurn;
  /** 'known': it was decided on its partial text, or nobody cares: what comes is no news. */
  readonly words: 'missing' | 'known';
}

/** STT answers within 8 s, even if the answer is empty. An older final text will not come any more. */
const AWAITED_FOR_MS = 15_000;

/**
 * @param turn as it was when it was given up. @returns `awaited`, oldest first, with it if finals of it are still to
 * come.
 */
export function awaitTranscript(awaited: readonly AwaitedTurn[], turn: OpenTurn): readonly AwaitedTurn[] {
  if (turn.asked.length === 0) return awaited;
  const words = turn.partial.trim() === '' && turn.place !== 'not-for-floor' ? 'missing' : 'known';
  return [...awaited, { turn: { ...turn, parts: [], partial: '' }, words }];
}

export function stillAwaited(awaited: readonly AwaitedTurn[], now: number): readonly AwaitedTurn[] {
  return awaited.filter(({ turn }) => now - turn.finalAskedAt < AWAITED_FOR_MS);
}

/**
 * Takes a final that is awaited. @returns what is still awaited, and the oldest turn once its missing words are
 * complete.
 */
export function takeLateFinal(
  awaited: readonly AwaitedTurn[],
  text: string,
  language: string | null,
  at: number,
): { readonly awaited: readonly AwaitedTurn[]; readonly complete: OpenTurn | null } {
  const [oldest, ...rest] = stillAwaited(awaited, at);
  if (oldest === undefined) return { awaited: [], complete: null };
  const turn = takeFinal(oldest.turn, text, language, at);
  if (turn.asked.length > 0) return { awaited: [{ ...oldest, turn }, ...rest], complete: null };
  return { awaited: rest, complete: oldest.words === 'missing' && finalText(turn) !== '' ? turn : null };
}
