import { NEUTRAL_FACE } from '../animation/face-state.ts';
import type { FaceState } from '../animation/face-state.ts';
import { nearestIndex } from './mouth-atlas.ts';

/** The brows that an avatar is prepared with: height × slant, fine enough that they glide. */
const RAISES = [-0.6, -0.3, -0.12, 0, 0.1, 0.2, 0.3, 0.42, 0.55, 0.75, 1] as const;
const SLANTS = [-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 1] as const;

export const BROW_ATLAS: readonly FaceState[] = RAISES.flatMap((browRaise) =>
  SLANTS.map((browSlant) => ({ ...NEUTRAL_FACE, browRaise, browSlant })),
);

/** @returns the index in `BROW_ATLAS` of the brows that show the state best. */
export function pickBrows(state: FaceState): number {
  return nearestIndex(RAISES, state.browRaise) * SLANTS.length + nearestIndex(SLANTS, state.browSlant);
}
