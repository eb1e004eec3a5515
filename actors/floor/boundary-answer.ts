import { isWordless } from '../text/backchannel.ts';
import type { OpenTurn } from './user-turn.ts';

/** A turn that was dropped because the persona was speaking. */
export interface DroppedAnswer {
  readonly turn: OpenTurn;
  readonly text: string;
  readonly at: number;
}

/**
 * "… shall I book it?" — and the user says "yeah" a moment before the end. During speech "yeah" is a sign of listening;
 * this close to the end it is the answer. It need not be a question: "just say okay and I will book it".
 */
const BOUNDARY_MS = 1_000;

export function isOnTheBoundary(turnStartedAt: number, personaEndedAt: number): boolean {
  return personaEndedAt - turnStartedAt <= BOUNDARY_MS;
}

/** Places of turns that were talked over, and that nobody stopped for. */
export function wasTolerated({ place }: OpenTurn): boolean {
  return place === 'over-persona' || place === 'not-for-floor';
}

export function answersOnTheBoundary(dropped: DroppedAnswer | null, personaEndedAt: number): dropped is DroppedAnswer {
  return (
    dropped !== null &&
    !isWordless(dropped.text, dropped.turn.language) &&
    isOnTheBoundary(dropped.turn.startedAt, personaEndedAt)
  );
}
