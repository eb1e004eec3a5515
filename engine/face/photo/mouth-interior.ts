import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { FaceState } from '../animation/face-state.ts';
import { glow } from '../avatars/paint.ts';
import type { Rect } from '../rendering/i420.ts';
import type { MouthShape } from './mouth-shape.ts';
import { shade, type Color, type Raster } from './raster.ts';
import { CURVE_STEPS, type SlitFrame } from './slit.ts';

/** The light of the photo, by which teeth and tongue are colored. */
export interface MouthLight {
  /** 0…1: how bright white things in the mouth are. */
  readonly brightness: number;
  /** Color of the light, mean 1. */
  readonly tint: Color;
}

/**
 * Estimated from the skin beside the mouth: a bright face is in bright light, and warm skin usually means warm light.
 */
export function mouthLight(skin: Color): MouthLight {
  const mean = Math.max(1, (skin[0] + skin[1] + skin[2]) / 3);
  const brightness = Math.max(0.5, Math.min(1, 0.46 + (mean / 255) * 0.72));
  const towards = (value: number) => 1 + (value / mean - 1) * 0.3;
  return { brightness, tint: [towards(skin[0]), towards(skin[1]), towards(skin[2])] };
}

const TOOTH: Color = [240, 226, 203];
const TONGUE: Color = [176, 92, 92];
const DEPTH: Color = [58, 20, 22];

/**
 * Lower edge of the upper teeth below the resting lip line, and how much of the lower teeth is above the lip. Face
 * units.
 */
const UPPER_TEETH = 4.2;
const LOWER_TEETH = 3.2;
/** Rounded lips come forward and cover this much of the upper teeth. */
const ROUNDED_HIDES = 6;

/** Paints what is seen between the lips into an image of the rectangle. Lips are laid over it afterwards. */
export function paintMouthInterior(
  rect: Rect,
  frame: SlitFrame,
  restMiddle: number,
  shape: MouthShape,
  light: MouthLight,
  unit: number,
  state: FaceState,
): Raster {
  const canvas = createCanvas(rect.width, rect.height);
  const ctx = canvas.getContext('2d');
  const lit = (color: Color, factor: number, opacity = 1) =>
    shade(
      [color[0] * light.tint[0], color[1] * light.tint[1], color[2] * light.tint[2]],
      factor * light.brightness,
      opacity,
    );
  ctx.fillStyle = lit(DEPTH, 0.75);
  ctx.fillRect(0, 0, rect.width, rect.height);
  ctx.translate(frame.x - rect.x, frame.y - rect.y);
  ctx.rotate(Math.atan2(frame.sin, frame.cos));
  const middle = CURVE_STEPS / 2;
  const top = shape.upperInner[middle]!;
  const bottom = shape.lowerInner[middle]!;
  const { half } = shape;
  glow(ctx, 0, bottom, half * 0.9, Math.max(4 * unit, shape.gap * 0.6), '#8a3a3a', 0.5 * light.brightness);
  if (state.teeth < 0.5) tongue(ctx, shape, state, unit, lit);
  lowerTeeth(ctx, shape, state, unit, lit);
  upperTeeth(ctx, shape, state, restMiddle, unit, lit);
  if (state.tongue > 0.85) tongueTip(ctx, half, restMiddle + UPPER_TEETH * unit, unit, lit);
  // No light falls deep into the corners and under the upper lip.
  for (const side of [-1, 1])
    glow(
      ctx,
      side * half * 0.98,
      (top + bottom) / 2 + shape.gap * 0.1,
      half * 0.42,
      Math.max(shape.gap * 0.7, 5 * unit),
      '#160505',
      0.8,
    );
  glow(ctx, 0, top - unit, half * 1.05, 3.2 * unit + shape.gap * 0.1, '#160505', 0.6);
  return { width: rect.width, height: rect.height, data: ctx.getImageData(0, 0, rect.width, rect.height).data };
}

type Lit = (color: Color, factor: number, opacity?: number) => string;

function tongue(ctx: SKRSContext2D, shape: MouthShape, state: FaceState, unit: number, lit: Lit): void {
  const bottom = shape.lowerInner[CURVE_STEPS / 2]!;
  const height = Math.max(4 * unit, shape.gap * (0.3 + 0.3 * state.tongue));
  const y = bottom - height * 0.55 + 3 * unit;
  ctx.save();
  ctx.filter = `blur(${(1.2 * unit).toFixed(2)}px)`;
  const gradient = ctx.createLinearGradient(0, y - height, 0, y + height);
  gradient.addColorStop(0, lit(TONGUE, 0.62));
  gradient.addColorStop(0.5, lit(TONGUE, 0.95));
  gradient.addColorStop(1, lit(TONGUE, 0.6));
  ctx.fillStyle = gradient;
  ctx.beginPath();
  ctx.ellipse(0, y + height * 0.3, shape.half * 0.62, height, 0, 0, Math.PI * 2);
  ctx.fill();
  ctx.restore();
}

function upperTeeth(
  ctx: SKRSContext2D,
  shape: MouthShape,
  state: FaceState,
  restMiddle: number,
  unit: number,
  lit: Lit,
): void {
  const together = state.teeth > 0.5;
  // The upper teeth stay with the head: an opening mouth does not move them.
  const edge = together
    ? restMiddle + shape.gap * 0.5
    : restMiddle + (UPPER_TEETH - ROUNDED_HIDES * Math.max(0, -state.mouthWide)) * unit + state.tongue * 0.5 * unit;
  const width = Math.min(shape.half * 0.93, 31 * unit);
  const topOf = shape.upperInner[CURVE_STEPS / 2]! - 8 * unit;
  ctx.save();
  ctx.filter = `blur(${(0.45 * unit).toFixed(2)}px)`;
  const gradient = ctx.createLinearGradient(-width, 0, width, 0);
  for (const [at, factor] of [
    [0, 0.34],
    [0.22, 0.74],
    [0.42, 0.95],
    [0.58, 0.95],
    [0.78, 0.74],
    [1, 0.34],
  ] as const)
    gradient.addColorStop(at, lit(TOOTH, factor));
  ctx.fillStyle = gradient;
  for (const tooth of TEETH) {
    const x0 = tooth.from * width;
    const x1 = tooth.to * width;
    ctx.beginPath();
    ctx.roundRect(x0 - 0.1 * unit, topOf, x1 - x0 + 0.2 * unit, edge + tooth.drop * unit - topOf, [
      0,
      0,
      1.8 * unit,
      1.8 * unit,
    ]);
    ctx.fill();
  }
  ctx.restore();
}

/**
 * Upper teeth across the arch: places as shares of its half width, and how much longer or shorter they are than the
 * canines' line, face units.
 */
const TEETH = [
  { from: -1, to: -0.8, drop: -3.4 },
  { from: -0.795, to: -0.58, drop: -1.6 },
  { from: -0.575, to: -0.3, drop: -0.5 },
  { from: -0.295, to: -0.004, drop: 0.3 },
  { from: 0.004, to: 0.295, drop: 0.3 },
  { from: 0.3, to: 0.575, drop: -0.5 },
  { from: 0.58, to: 0.795, drop: -1.6 },
  { from: 0.8, to: 1, drop: -3.4 },
] as const;

function lowerTeeth(ctx: SKRSContext2D, shape: MouthShape, state: FaceState, unit: number, lit: Lit): void {
  const together = state.teeth > 0.5;
  const bottom = shape.lowerInner[CURVE_STEPS / 2]!;
  const shown = together
    ? shape.gap * 0.55
    : state.lipTuck > 0.4
      ? 0
      : Math.min(LOWER_TEETH * unit, Math.max(0, shape.gap - 9 * unit) * 0.3);
  if (shown < 0.6) return;
  const width = Math.min(shape.half * 0.72, 22 * unit);
  ctx.save();
  ctx.filter = `blur(${(0.5 * unit).toFixed(2)}px)`;
  const gradient = ctx.createLinearGradient(-width, 0, width, 0);
  for (const [at, factor] of [
    [0, 0.3],
    [0.3, 0.66],
    [0.5, 0.74],
    [0.7, 0.66],
    [1, 0.3],
  ] as const)
    gradient.addColorStop(at, lit(TOOTH, factor));
  ctx.fillStyle = gradient;
  const count = 6;
  for (let i = 0; i < count; i++) {
    const x0 = -width + (i * 2 * width) / count;
    const middle = Math.abs((i + 0.5) / count - 0.5) * 2;
    ctx.beginPath();
    ctx.roundRect(
      x0 + 0.15 * unit,
      bottom - shown + middle * 1.2 * unit,
      (2 * width) / count - 0.3 * unit,
      shown + 6 * unit,
      [1.2 * unit, 1.2 * unit, 0, 0],
    );
    ctx.fill();
  }
  ctx.restore();
}

function tongueTip(ctx: SKRSContext2D, half: number, teethEdge: number, unit: number, lit: Lit): void {
  ctx.save();
  ctx.filter = `blur(${(0.7 * unit).toFixed(2)}px)`;
  ctx.fillStyle = lit(TONGUE, 0.98);
  ctx.beginPath();
  ctx.ellipse(0, teethEdge + 1.4 * unit, half * 0.5, 4 * unit, 0, 0, Math.PI * 2);
  ctx.fill();
  ctx.restore();
  glow(ctx, 0, teethEdge + 0.2 * unit, half * 0.3, 1.6 * unit, '#ffd9d2', 0.28);
}
