import { awaitedSince, finalText, saysTheSame, takeFinal, turnText, type OpenTurn } from './user-turn.ts';

/**
 * A turn that was decided before all of its words were known, because a recognizer (a busy machine, a slow provider)
 * took longer than anybody waits in silence.
 */
export interface AwaitedTurn {
  /** With what was final by then. The finals in `asked` are still to come; they come before those of any later turn. */
  readonly turn: OpenTurn;
  /** The words with which it was decided, partial text included; empty: nothing was known. */
  readonly decidedOn: string;
}

/** STT answers within 8 s, even if the answer is empty. An older final text will not come any more. */
const AWAITED_FOR_MS = 15_000;

/**
 * @param turn as it was when it was given up. @returns `awaited`, oldest first, with it if finals of it are still to
 * come.
 */
export function awaitTranscript(awaited: readonly AwaitedTurn[], turn: OpenTurn): readonly AwaitedTurn[] {
  if (turn.asked.length === 0) return awaited;
  return [...awaited, { turn: { ...turn, partial: '' }, decidedOn: turnText(turn) }];
}

export function stillAwaited(awaited: readonly AwaitedTurn[], now: number): readonly AwaitedTurn[] {
  return awaited.filter(({ turn }) => now - turn.finalAskedAt < AWAITED_FOR_MS);
}

interface TakenLate {
  readonly awaited: readonly AwaitedTurn[];
  /** From the last sound to this final. */
  readonly tookMs: number;
  readonly complete: AwaitedTurn | null;
}

/**
 * Takes a final that is awaited. @returns what is still awaited, and the oldest turn once all its words are known, if
 * they are others than those with which it was decided.
 */
export function takeLateFinal(
  awaited: readonly AwaitedTurn[],
  text: string,
  language: string | null,
  at: number,
): TakenLate {
  const [oldest, ...rest] = stillAwaited(awaited, at);
  if (oldest === undefined) return { awaited: [], tookMs: 0, complete: null };
  const tookMs = at - awaitedSince(oldest.turn);
  const turn = takeFinal(oldest.turn, text, language, at);
  if (turn.asked.length > 0) return { awaited: [{ ...oldest, turn }, ...rest], tookMs, complete: null };
  const isNews = text.trim() !== '' && !saysTheSame(finalText(turn), oldest.decidedOn);
  return { awaited: rest, tookMs, complete: isNews ? { ...oldest, turn } : null };
}
