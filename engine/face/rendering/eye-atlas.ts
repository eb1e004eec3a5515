import { NEUTRAL_FACE } from '../animation/face-state.ts';
import type { FaceState } from '../animation/face-state.ts';
import { nearestIndex } from './mouth-atlas.ts';

/** The pairs of eyes that an avatar is prepared with. A smile lifts the lower lids, so it is also an axis here. */
const LIDS = [0, 0.2, 0.42, 0.64, 0.82, 0.92, 1, 1.12, 1.25] as const;
const GAZES_X = [-0.75, -0.5, -0.3, -0.15, 0, 0.15, 0.3, 0.5, 0.75] as const;
const GAZES_Y = [-0.5, -0.2, 0, 0.2] as const;
const SMILES = [0.2, 0.9] as const;
/** Closed eyes have no gaze: one pair per smile is enough. */
const CLOSED_BELOW = 0.1;

/** The states to draw, in the order of their indices: for each smile one closed pair, then lids × gaze. */
export const EYE_ATLAS: readonly FaceState[] = SMILES.flatMap((smile) => [
  { ...NEUTRAL_FACE, smile, lids: 0 },
  ...LIDS.slice(1).flatMap((lids) =>
    GAZES_Y.flatMap((gazeY) => GAZES_X.map((gazeX) => ({ ...NEUTRAL_FACE, smile, lids, gazeX, gazeY }))),
  ),
]);
const PER_SMILE = EYE_ATLAS.length / SMILES.length;

/** @returns the index in `EYE_ATLAS` of the eyes that show the state best. */
export function pickEyes(state: FaceState): number {
  const base = nearestIndex(SMILES, state.smile) * PER_SMILE;
  if (state.lids < CLOSED_BELOW) return base;
  const lids = Math.max(1, nearestIndex(LIDS, state.lids)) - 1;
  const gaze = nearestIndex(GAZES_Y, state.gazeY) * GAZES_X.length + nearestIndex(GAZES_X, state.gazeX);
  return base + 1 + lids * GAZES_Y.length * GAZES_X.length + gaze;
}
