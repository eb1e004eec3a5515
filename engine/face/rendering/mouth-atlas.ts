import { NEUTRAL_FACE } from '../animation/face-state.ts';
import type { FaceState } from '../animation/face-state.ts';

/**
 * The mouths that an avatar is prepared with, and which of them shows a state best. Ordinary mouths are a grid of
 * opening and width; the sounds that need lips, teeth or tongue in a certain place have separate families. Every mouth
 * exists at each degree of smile.
 */
const SMILES = [-0.8, -0.3, 0, 0.3, 0.65, 1] as const;
/** The steps are finer where the mouth is nearly closed: people see the step from shut to slightly open best. */
const OPENINGS = [0, 0.07, 0.16, 0.28, 0.42, 0.58, 0.76, 1] as const;
const WIDTHS = [-1, -0.5, 0, 0.5, 1] as const;

type Mouth = Pick<FaceState, 'mouthOpen' | 'mouthWide' | 'lipPress' | 'lipTuck' | 'teeth' | 'tongue'>;
const closed: Mouth = { mouthOpen: 0, mouthWide: 0, lipPress: 0, lipTuck: 0, teeth: 0, tongue: 0 };

const GRID: readonly Mouth[] = OPENINGS.flatMap((mouthOpen) =>
  WIDTHS.map((mouthWide) => ({ ...closed, mouthOpen, mouthWide })),
);
const PRESSED: readonly Mouth[] = [
  { ...closed, lipPress: 0.5 },
  { ...closed, lipPress: 1 },
];
const TUCKED: readonly Mouth[] = [
  { ...closed, mouthOpen: 0.1, lipTuck: 0.6 },
  { ...closed, mouthOpen: 0.16, lipTuck: 1 },
];
const TOOTHED: readonly Mouth[] = [-0.55, 0, 0.45].map((mouthWide) => ({
  ...closed,
  mouthOpen: 0.18,
  mouthWide,
  teeth: 1,
}));
const TONGUED: readonly Mouth[] = [
  { ...closed, mouthOpen: 0.2, mouthWide: 0.1, tongue: 0.7 },
  { ...closed, mouthOpen: 0.26, mouthWide: 0.1, tongue: 1 },
  { ...closed, mouthOpen: 0.42, mouthWide: 0.15, tongue: 0.7 },
];
const MOUTHS: readonly Mouth[] = [...GRID, ...PRESSED, ...TUCKED, ...TOOTHED, ...TONGUED];
const PRESSED_AT = GRID.length;
const TUCKED_AT = PRESSED_AT + PRESSED.length;
const TOOTHED_AT = TUCKED_AT + TUCKED.length;
const TONGUED_AT = TOOTHED_AT + TOOTHED.length;

/** The states to draw, in the order of their indices. */
export const MOUTH_ATLAS: readonly FaceState[] = SMILES.flatMap((smile) =>
  MOUTHS.map((mouth) => ({ ...NEUTRAL_FACE, ...mouth, smile })),
);

export function nearestIndex(values: readonly number[], wanted: number): number {
  let best = 0;
  for (let i = 1; i < values.length; i++)
    if (Math.abs(values[i]! - wanted) < Math.abs(values[best]! - wanted)) best = i;
  return best;
}

function mouthIndex(state: FaceState): number {
  // A family is used from half of its feature on: below that, the grid draws the transition.
  if (state.lipPress > 0.3) return PRESSED_AT + (state.lipPress > 0.75 ? 1 : 0);
  if (state.lipTuck > 0.4) return TUCKED_AT + (state.lipTuck > 0.8 ? 1 : 0);
  if (state.teeth > 0.5)
    return (
      TOOTHED_AT +
      nearestIndex(
        TOOTHED.map((m) => m.mouthWide),
        state.mouthWide,
      )
    );
  if (state.tongue > 0.4) return TONGUED_AT + (state.mouthOpen > 0.32 ? 2 : state.tongue > 0.85 ? 1 : 0);
  return nearestIndex(OPENINGS, state.mouthOpen) * WIDTHS.length + nearestIndex(WIDTHS, state.mouthWide);
}

/** @returns the index in `MOUTH_ATLAS` of the mouth that shows the state best. */
export function pickMouth(state: FaceState): number {
  return nearestIndex(SMILES, state.smile) * MOUTHS.length + mouthIndex(state);
}
