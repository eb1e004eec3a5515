import { smoothStep } from '../animation/ease.ts';
import type { FaceState } from '../animation/face-state.ts';
import { CURVE_STEPS, shareAt, type Curve } from './slit.ts';
import type { LipLines } from './face-geometry.ts';

/** The lips of one state: where each line of the photo's mouth goes. All in the mouth's frame, in pixels. */
export interface MouthShape {
  /** Half the distance between the corners. */
  readonly half: number;
  readonly upperOuter: Curve;
  readonly upperInner: Curve;
  readonly lowerInner: Curve;
  readonly lowerOuter: Curve;
  /** How much of each lip, counted from its inner edge, is rolled in and unseen, 0…1. */
  readonly upperRolled: number;
  readonly lowerRolled: number;
  /** Distance of the lips in the middle. */
  readonly gap: number;
  /** How far the chin goes down. */
  readonly jawDrop: number;
}

/** In face units. */
const FULL_OPENING = 31;
const CORNER_LIFT = 10;
const CORNER_DROP = 6.5;
/** This share of an opening is above the line of the lips. */
const OPENS_UP = 0.14;
/** The same for rounded lips, whose upper lip is drawn up. */
const ROUNDED_OPENS_UP = 0.42;
/** The ring of muscle that rounds the lips levels the corners of the photo's own mouth by this share. */
const ROUNDED_LEVELS = 0.85;
/** The corners follow the lower lip by this share of an opening. */
const CORNERS_FOLLOW = 0.3;
/** Share of the mouth's width that opens; beyond it the lips stay together. */
const OPENING_WIDTH = 0.9;
const CHIN_FOLLOWS = 0.5;
/** A smile that shows teeth makes the lips thin. Closed over the teeth, they are this much fuller. */
const CLOSED_FULLER = 1.22;
const RELAXED_WIDTH = 0.92;
/** The corners are then this much lower, in face units. */
const RELAXED_CORNERS = 2.5;

/** @param restLine where the lips meet when closed. @param teethShown true when the photo's own mouth is open. */
export function mouthShape(
  lips: LipLines,
  restLine: Curve,
  teethShown: boolean,
  unit: number,
  state: FaceState,
): MouthShape {
  const smile = Math.max(0, state.smile) * (teethShown ? 0.55 : 1);
  const sad = Math.max(0, -state.smile);
  const pucker = Math.max(0, -state.mouthWide);
  const spread = Math.max(0, state.mouthWide);
  const open = Math.min(1.1, state.mouthOpen);
  const pressed = smoothStep(state.lipPress);
  const tucked = state.lipTuck;
  const gap = open * FULL_OPENING * unit * (1 + pucker * 0.2) * (1 - pressed);
  // A smiling photo's mouth is already wide: at rest it is a little narrower.
  const half =
    lips.frame.half *
    (teethShown ? RELAXED_WIDTH : 1) *
    (1 + 0.1 * spread - 0.36 * pucker) *
    (1 + smile * 0.12 * (1 - pucker * 0.7)) *
    (1 - 0.19 * open);
  const fuller = (teethShown ? CLOSED_FULLER : 1) * (1 + pucker * 0.3 - smile * 0.14 - spread * 0.08);
  const upperThick = fuller * (1 - 0.3 * pressed) * (1 - 0.1 * open);
  const lowerThick = fuller * (1 - 0.3 * pressed) * (1 - 0.08 * open) * (1 - 0.4 * tucked);
  const lines = {
    upperOuter: new Float32Array(CURVE_STEPS + 1),
    upperInner: new Float32Array(CURVE_STEPS + 1),
    lowerInner: new Float32Array(CURVE_STEPS + 1),
    lowerOuter: new Float32Array(CURVE_STEPS + 1),
  };
  const opensUp = OPENS_UP + (ROUNDED_OPENS_UP - OPENS_UP) * pucker;
  const restMiddle = restLine[CURVE_STEPS / 2]!;
  const relaxed = teethShown ? RELAXED_CORNERS * (1 - smile) : 0;
  const cornersBow = relaxed - smile * CORNER_LIFT * (1 - 0.3 * open) + sad * CORNER_DROP;
  for (let i = 0; i <= CURVE_STEPS; i++) {
    const u = Math.abs(shareAt(i));
    const corner = u ** 1.8;
    const bow = unit * (corner * cornersBow + (1 - corner) * (smile * 1.6 - sad * 1.2));
    const opening = gap * (1 - Math.min(1, u / OPENING_WIDTH) ** 2.2) ** (0.8 - 0.25 * pucker);
    const rest = restLine[i]! + (restMiddle - restLine[i]!) * ROUNDED_LEVELS * pucker;
    const line = rest + bow + gap * CORNERS_FOLLOW * (1 - 0.5 * pucker) * corner;
    const upper = line - opening * opensUp;
    const lower = line + opening * (1 - opensUp) - tucked * 1.5 * unit * (1 - corner);
    lines.upperInner[i] = Math.min(upper, lower);
    lines.lowerInner[i] = lower;
    lines.upperOuter[i] = lines.upperInner[i]! - Math.max(0, lips.upperInner[i]! - lips.upperOuter[i]!) * upperThick;
    lines.lowerOuter[i] = lower + Math.max(0, lips.lowerOuter[i]! - lips.lowerInner[i]!) * lowerThick;
  }
  return {
    ...lines,
    half,
    gap,
    upperRolled: pressed * 0.3,
    lowerRolled: Math.max(pressed * 0.3, tucked * 0.45),
    jawDrop: gap * CHIN_FOLLOWS - tucked * 2 * unit,
  };
}
