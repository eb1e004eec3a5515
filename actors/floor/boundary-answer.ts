import type { OpenTurn } from './user-turn.ts';

/** A turn that was dropped because the persona was speaking. */
export interface DroppedAnswer {
  readonly turn: OpenTurn;
  readonly text: string;
  readonly at: number;
}

/**
 * "… shall I book it?" — and the user says "yeah" a moment before the end. During speech "yeah" is a sign of listening;
 * this close to the end of a question it is the answer.
 */
const BOUNDARY_MS = 1_000;

export function isOnTheBoundary(turnStartedAt: number, askedQuestion: boolean, personaEndedAt: number): boolean {
  return askedQuestion && personaEndedAt - turnStartedAt <= BOUNDARY_MS;
}

export function answersOnTheBoundary(
  dropped: DroppedAnswer | null,
  askedQuestion: boolean,
  personaEndedAt: number,
): boolean {
  return (
    dropped !== null && dropped.text !== '' && isOnTheBoundary(dropped.turn.startedAt, askedQuestion, personaEndedAt)
  );
}
