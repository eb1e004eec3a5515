import type { Viseme } from '../../ports.ts';

/** The part of a face that speaks. */
export interface MouthPose {
  readonly mouthOpen: number;
  readonly mouthWide: number;
  readonly lipPress: number;
  readonly lipTuck: number;
  readonly teeth: number;
  readonly tongue: number;
}

export const CLOSED_MOUTH: MouthPose = { mouthOpen: 0, mouthWide: 0, lipPress: 0, lipTuck: 0, teeth: 0, tongue: 0 };

function pose(part: Partial<MouthPose>): MouthPose {
  return { ...CLOSED_MOUTH, ...part };
}

/**
 * The mouth of each sound at full weight. Openings are those of clear, calm speech: an open vowel shows about two
 * thirds of what the mouth could do, so that emphasis (weight above 1) still has room.
 */
export const VISEME_POSES: Readonly<Record<Viseme, MouthPose>> = {
  rest: CLOSED_MOUTH,
  mbp: pose({ lipPress: 1 }),
  fv: pose({ mouthOpen: 0.16, lipTuck: 1 }),
  th: pose({ mouthOpen: 0.24, mouthWide: 0.1, tongue: 1 }),
  td: pose({ mouthOpen: 0.22, mouthWide: 0.15, tongue: 0.7 }),
  n: pose({ mouthOpen: 0.2, mouthWide: 0.1, tongue: 0.7 }),
  kg: pose({ mouthOpen: 0.32, mouthWide: 0.1 }),
  ch: pose({ mouthOpen: 0.22, mouthWide: -0.55, teeth: 1 }),
  sz: pose({ mouthOpen: 0.16, mouthWide: 0.45, teeth: 1 }),
  r: pose({ mouthOpen: 0.25, mouthWide: -0.45 }),
  aa: pose({ mouthOpen: 0.8, mouthWide: 0.1 }),
  ae: pose({ mouthOpen: 0.66, mouthWide: 0.5 }),
  eh: pose({ mouthOpen: 0.45, mouthWide: 0.45 }),
  ih: pose({ mouthOpen: 0.28, mouthWide: 0.7 }),
  oh: pose({ mouthOpen: 0.55, mouthWide: -0.55 }),
  ou: pose({ mouthOpen: 0.32, mouthWide: -0.85 }),
  w: pose({ mouthOpen: 0.16, mouthWide: -1 }),
};
