import { smoothStep } from '../animation/ease.ts';
import type { FaceState } from '../animation/face-state.ts';
import type { FaceGeometry, LidLines } from './face-geometry.ts';
import { emptyRaster, luminance, meanColor, sample, type Color, type Raster } from './raster.ts';
import { CURVE_STEPS } from './slit.ts';

/** Moves the photo's lids over its eyes, and the eyes between them. */
export interface EyesWarp {
  draw(state: FaceState): Raster;
}

/** Closed lids meet this share of the eye's height below the landmarks of the lower lid, which lie inside of it. */
const MEET_BELOW = 0.06;
/** The lower lid comes up by this share in a broad smile. */
const LOWER_LID_SMILE = 0.16;
/** The eyes of the photo are used for the faintest smile of the atlas. */
const PHOTO_SMILE = 0.2;
/** How far the iris moves at a gaze of 1, in half eye widths. */
const GAZE_X = 0.3;
const GAZE_Y = 0.16;
/** Thickness of the line of lashes at a closing lid, in face units. */
const LASHES = 1.6;
/** An area darker than this share of the skin below the eye is not skin. */
const SKIN_ENOUGH = 0.8;

export function createEyesWarp(image: Raster, g: FaceGeometry): EyesWarp {
  const skins = [lidSkin(image, g, g.leftEye), lidSkin(image, g, g.rightEye)] as const;
  return { draw: (state) => warpEyes(image, g, skins, state) };
}

/** A lid is a little darker and redder than the skin around the eye. */
const LID_TINT: Color = [0.96, 0.9, 0.87];

/** The skin above the eye. If a fringe, lashes or the rim of glasses are above, the skin below it. */
function lidSkin(image: Raster, g: FaceGeometry, { frame, upper, lower }: LidLines): Color {
  const lid = frame.y + upper[CURVE_STEPS / 2]!;
  const top = g.rects.eyes.y;
  const above = meanColor(image, frame.x, top + (lid - top) * 0.3, 1.5 * g.unit);
  const below = meanColor(image, frame.x, frame.y + lower[CURVE_STEPS / 2]! + 9 * g.unit, 4 * g.unit);
  const skin = luminance(...above) > luminance(...below) * SKIN_ENOUGH ? above : below;
  return [skin[0] * LID_TINT[0], skin[1] * LID_TINT[1], skin[2] * LID_TINT[2]];
}

interface Lids {
  readonly lines: LidLines;
  readonly upper: Float32Array;
  readonly lower: Float32Array;
  /** Half the width of the region that this eye may change. */
  readonly reach: number;
  readonly gaze: readonly [number, number];
  /** Color of the skin above. */
  readonly skin: Color;
}

function lidsOf(lines: LidLines, skin: Color, state: FaceState, reach: number): Lids {
  const smile = Math.max(0, (state.smile - PHOTO_SMILE) / (1 - PHOTO_SMILE));
  const upper = new Float32Array(CURVE_STEPS + 1);
  const lower = new Float32Array(CURVE_STEPS + 1);
  const closing = 1 - Math.min(1, state.lids);
  const wide = Math.max(0, state.lids - 1);
  for (let i = 0; i <= CURVE_STEPS; i++) {
    const top = lines.upper[i]!;
    const bottom = lines.lower[i]!;
    const height = Math.max(0, bottom - top);
    const raised = bottom + height * (MEET_BELOW * closing - LOWER_LID_SMILE * smile);
    const meet = bottom + height * (MEET_BELOW - LOWER_LID_SMILE * smile);
    lower[i] = raised;
    upper[i] = Math.min(raised, top + (meet - top) * closing - height * wide * 0.55);
  }
  return {
    lines,
    upper,
    lower,
    reach,
    gaze: [state.gazeX * GAZE_X * lines.frame.half, state.gazeY * GAZE_Y * lines.frame.half],
    skin,
  };
}

function warpEyes(image: Raster, g: FaceGeometry, skins: readonly [Color, Color], state: FaceState): Raster {
  const rect = g.rects.eyes;
  const out = emptyRaster(rect);
  const border = g.eyes[0];
  const reachOf = (lines: LidLines) =>
    Math.min(
      Math.abs(border - lines.frame.x) - 1,
      Math.min(lines.frame.x - rect.x, rect.x + rect.width - lines.frame.x) - 1,
      lines.frame.half * 2.1,
    );
  const left = lidsOf(g.leftEye, skins[0], state, reachOf(g.leftEye));
  const right = lidsOf(g.rightEye, skins[1], state, reachOf(g.rightEye));
  const color = new Float32Array(3);
  for (let py = 0, to = 0; py < rect.height; py++) {
    for (let px = 0; px < rect.width; px++, to += 4) {
      const x = rect.x + px;
      const y = rect.y + py;
      colorAt(image, rect, x < border ? left : right, x, y, state.lids, g.unit, color);
      for (let i = 0; i < 3; i++) out.data[to + i] = color[i]!;
      out.data[to + 3] = 255;
    }
  }
  return out;
}

function colorAt(
  image: Raster,
  rect: { readonly y: number; readonly height: number },
  lids: Lids,
  x: number,
  y: number,
  openness: number,
  unit: number,
  color: Float32Array,
): void {
  const { frame, upper: fromUppers, lower: fromLowers } = lids.lines;
  const dx = x - frame.x;
  const dy = y - frame.y;
  const lx = dx * frame.cos + dy * frame.sin;
  const ly = dy * frame.cos - dx * frame.sin;
  const aside = Math.abs(lx);
  if (aside >= lids.reach) return sample(image, x, y, color);
  const u = Math.max(-1, Math.min(1, lx / frame.half));
  const step = ((u + 1) / 2) * CURVE_STEPS;
  const i = Math.min(CURVE_STEPS - 1, Math.floor(step));
  const part = step - i;
  const read = (curve: Float32Array) => curve[i]! + (curve[i + 1]! - curve[i]!) * part;
  const fade = aside <= frame.half ? 1 : 1 - smoothStep((aside - frame.half) / (lids.reach - frame.half));
  const fromUpper = read(fromUppers);
  const fromLower = read(fromLowers);
  const upper = fromUpper + (read(lids.upper) - fromUpper) * fade;
  const lower = fromLower + (read(lids.lower) - fromLower) * fade;
  const at = (sx: number, sy: number) =>
    sample(image, frame.x + sx * frame.cos - sy * frame.sin, frame.y + sx * frame.sin + sy * frame.cos, color);
  if (ly <= upper) {
    // The skin stretches from the brows to the lashes, which keep their thickness.
    const top = rect.y - frame.y + Math.abs(frame.sin) * aside;
    at(lx, ly - (upper - fromUpper) * smoothStep((ly - top) / Math.max(1, upper - top)));
    paintLid(lids, u, ly, upper, fromUpper, unit, color);
  } else if (ly >= lower) {
    const bottom = rect.y + rect.height - frame.y - Math.abs(frame.sin) * aside;
    at(lx, ly - (lower - fromLower) * (1 - smoothStep((ly - lower) / Math.max(1, bottom - lower))));
  } else {
    eyeballAt(lids, lx, ly, u, { upper, lower, fromUpper, fromLower }, at);
    // The lid's shadow moves down with it.
    const lowered = Math.max(0, upper - fromUpper);
    const shadow = 1 - 0.35 * Math.min(1, lowered / (3 * unit)) * Math.exp(-(ly - upper) / (2.2 * unit));
    for (let k = 0; k < 3; k++) color[k]! *= shadow;
  }
  if (openness < 0.3 && aside < frame.half) {
    // Closed lids meet in a line of lashes.
    const line = (1 - openness / 0.3) * 0.4 * (1 - u ** 4) * Math.exp(-(((ly - upper) / (1 * unit)) ** 2));
    for (let k = 0; k < 3; k++) color[k]! *= 1 - line;
  }
}

/**
 * The area that comes down over the eye is the lid, not a stretched line of lashes: it has the color of the skin above.
 */
function paintLid(
  lids: Lids,
  u: number,
  ly: number,
  upper: number,
  fromUpper: number,
  unit: number,
  color: Float32Array,
): void {
  const lowered = upper - fromUpper;
  if (lowered <= 0) return;
  const lashes = LASHES * unit;
  const onLid =
    smoothStep((ly - fromUpper + 2.5 * unit) / (3.5 * unit)) * (1 - smoothStep((ly - upper + lashes * 1.4) / lashes));
  const cover = 0.78 * onLid * Math.min(1, lowered / (4 * unit)) * smoothStep((1 - Math.abs(u)) / 0.3);
  // Rounded: a little light in the middle, darker towards crease and lashes.
  const round = 0.95 - 0.1 * ((ly - (fromUpper + upper) / 2) / Math.max(1, lowered)) ** 2;
  for (let k = 0; k < 3; k++) color[k] = color[k]! * (1 - cover) + lids.skin[k]! * round * cover;
}

interface Opening {
  readonly upper: number;
  readonly lower: number;
  readonly fromUpper: number;
  readonly fromLower: number;
}

function eyeballAt(
  lids: Lids,
  lx: number,
  ly: number,
  u: number,
  o: Opening,
  at: (x: number, y: number) => void,
): void {
  // The corners of the eye stay: the ball turns most in the middle.
  const turn = 1 - Math.abs(u) ** 2.5;
  const wider = o.upper < o.fromUpper - 0.01;
  const photoY = wider
    ? o.fromUpper + ((ly - o.upper) / Math.max(0.5, o.lower - o.upper)) * (o.fromLower - o.fromUpper)
    : ly;
  const sy = photoY - lids.gaze[1] * turn;
  // The gaze uncovers more of the same eyeball, never the lid.
  const margin = Math.min(1.2, (o.fromLower - o.fromUpper) / 3);
  const inside = Math.max(
    o.fromUpper + margin * Math.min(1, Math.abs(lids.gaze[1])),
    Math.min(o.fromLower - margin * Math.min(1, Math.abs(lids.gaze[1])), sy),
  );
  at(lx - lids.gaze[0] * turn, lids.gaze[1] === 0 ? photoY : inside);
}
