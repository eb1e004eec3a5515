/**
 * What a face does at one instant. This is the whole input of a renderer. Every field is a plain number, so states can
 * be mixed by arithmetic, written to a log, and compared in tests. Neutral is 0 everywhere except for `lids`, where it
 * is 1.
 */
export interface FaceState {
  /** Head turn, −1 (to the image's left) … 1. */
  readonly yaw: number;
  /** Head nod, −1 (up) … 1 (down). */
  readonly pitch: number;
  /** Head tilt, −1 (anticlockwise) … 1 (clockwise). */
  readonly roll: number;
  /** 0 (breathed out) … 1 (breathed in). */
  readonly breath: number;
  /** 0 (closed) … 1 (open) … 1.25 (wide with surprise). */
  readonly lids: number;
  /** Gaze, −1 … 1 to the image's right. */
  readonly gazeX: number;
  /** Gaze, −1 … 1 downwards. */
  readonly gazeY: number;
  /** −1 (lowered) … 1 (raised). */
  readonly browRaise: number;
  /** −1 (inner ends up: sad, concerned) … 1 (inner ends down: angry, concentrated). */
  readonly browSlant: number;
  /** −1 (corners down) … 1 (broad smile). */
  readonly smile: number;
  /** Distance between the lips, 0 … 1. */
  readonly mouthOpen: number;
  /** −1 (puckered) … 1 (spread). */
  readonly mouthWide: number;
  /** Lips pressed together as in m, b, p: 0 … 1. */
  readonly lipPress: number;
  /** Lower lip under the upper teeth as in f, v: 0 … 1. */
  readonly lipTuck: number;
  /** Teeth together behind parted lips as in s, z, ch: 0 … 1. */
  readonly teeth: number;
  /** Tongue at the teeth as in th, t, d, n, l: 0 … 1. */
  readonly tongue: number;
}

export type FaceParameter = keyof FaceState;

export const NEUTRAL_FACE: FaceState = {
  yaw: 0,
  pitch: 0,
  roll: 0,
  breath: 0,
  lids: 1,
  gazeX: 0,
  gazeY: 0,
  browRaise: 0,
  browSlant: 0,
  smile: 0,
  mouthOpen: 0,
  mouthWide: 0,
  lipPress: 0,
  lipTuck: 0,
  teeth: 0,
  tongue: 0,
};

export const FACE_PARAMETERS = Object.keys(NEUTRAL_FACE) as readonly FaceParameter[];

/** Mixes two states: `amount` 0 gives `from`, 1 gives `to`. */
export function mixFaces(from: FaceState, to: FaceState, amount: number): FaceState {
  const mixed = { ...from } as Record<FaceParameter, number>;
  for (const parameter of FACE_PARAMETERS)
    mixed[parameter] = from[parameter] + (to[parameter] - from[parameter]) * amount;
  return mixed;
}
