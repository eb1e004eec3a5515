import type { FaceState } from '../animation/face-state.ts';
import { smoothStep } from '../animation/ease.ts';
import type { AvatarSpec } from './avatar-spec.ts';
import { alpha, glow, inside, mixColors, softStroke, vertical } from './paint.ts';
import type { Ctx, Gradient } from './paint.ts';

/** Where the line between the closed lips lies. */
export const MOUTH_Y = 99;

/** The outlines of a mouth in one state; left and right are mirror images. */
interface Lips {
  readonly half: number;
  readonly cornerY: number;
  /** Height of the lips. */
  readonly upper: number;
  readonly lower: number;
  /** Inner edges in the middle. */
  readonly top: number;
  readonly bottom: number;
  readonly gap: number;
  /** 0 (a slit that the corners stretch) … 1 (an O). */
  readonly round: number;
}

const FULL_OPENING = 35;

function lipsOf(spec: AvatarSpec, state: FaceState): Lips {
  const { halfWidth, fullness } = spec.mouth;
  const smile = Math.max(0, state.smile);
  const sad = Math.max(0, -state.smile);
  const spread = state.mouthWide > 0 ? 1 + 0.13 * state.mouthWide : 1 + 0.36 * state.mouthWide;
  const pucker = Math.max(0, -state.mouthWide);
  const open = state.mouthOpen;
  const half = halfWidth * spread * (1 + smile * 0.16 * (1 - pucker * 0.7)) * (1 - 0.17 * open) * (1 - sad * 0.06);
  const pressed = smoothStep(state.lipPress);
  const gap = open * FULL_OPENING * (1 - pucker * 0.12) * (1 - pressed);
  const stretch = 1 - smile * 0.18 - Math.max(0, state.mouthWide) * 0.1 + pucker * 0.3;
  const upper = 9.4 * fullness * stretch * (1 - 0.45 * pressed) * (1 - 0.12 * open);
  const lower = 13 * fullness * stretch * (1 - 0.42 * pressed) * (1 - 0.1 * open) * (1 - 0.35 * state.lipTuck);
  const y = MOUTH_Y + smile * 1.5;
  // Rounded lips cannot smile: the ring of muscle that closes them pulls the corners in and level.
  const lift = smile * (1 - 0.8 * pucker);
  return {
    half,
    cornerY: y - 1.5 * (1 - pucker) - lift * 13 * (1 - open * 0.3) + sad * 6 + gap * (0.26 + 0.1 * pucker),
    upper,
    lower,
    top: y - gap * (0.16 + 0.1 * pucker) + lift * 2.6 - sad * 2,
    bottom: y + gap * (0.84 - 0.1 * pucker) + lift * 3.4 - sad * 1.5 - state.lipTuck * 1.5,
    gap,
    round: pucker * Math.min(1, gap / 6),
  };
}

/** @param from 1: from left to right, -1: back. @param sink how much lower it lies than the edge itself. */
function upperInner(ctx: Ctx, l: Lips, from: 1 | -1 = 1, sink = 0): void {
  const beside = l.half * (0.55 + 0.4 * l.round);
  const besideY =
    (l.top - l.gap * 0.1 + 0.5) * (1 - l.round) + (l.cornerY + (l.top - l.cornerY) * 0.7) * l.round + sink;
  const near = l.half * (0.22 + 0.3 * l.round);
  const nearY = l.top - 0.8 * (1 - l.round) + sink;
  ctx.bezierCurveTo(-from * beside, besideY, -from * near, nearY, 0, l.top + 1.2 * (1 - l.round) + sink);
  ctx.bezierCurveTo(from * near, nearY, from * beside, besideY, from * l.half, l.cornerY);
}

function lowerInner(ctx: Ctx, l: Lips): void {
  const sag = l.bottom + l.gap * 0.02;
  ctx.bezierCurveTo(l.half * 0.84, l.cornerY + (sag - l.cornerY) * 0.76, l.half * 0.5, sag, 0, sag);
  ctx.bezierCurveTo(-l.half * 0.5, sag, -l.half * 0.84, l.cornerY + (sag - l.cornerY) * 0.76, -l.half, l.cornerY);
}

function openingPath(ctx: Ctx, l: Lips): void {
  ctx.moveTo(-l.half, l.cornerY);
  upperInner(ctx, l);
  lowerInner(ctx, l);
  ctx.closePath();
}

function upperLipPath(ctx: Ctx, l: Lips): void {
  const peak = l.top - l.upper;
  ctx.moveTo(-l.half, l.cornerY);
  ctx.bezierCurveTo(-l.half * 0.72, l.cornerY - l.upper * 0.35, -l.half * 0.46, peak + 0.6, -l.half * 0.25, peak);
  ctx.bezierCurveTo(-l.half * 0.14, peak - 0.3, -l.half * 0.08, peak + l.upper * 0.26, 0, peak + l.upper * 0.27);
  ctx.bezierCurveTo(l.half * 0.08, peak + l.upper * 0.26, l.half * 0.14, peak - 0.3, l.half * 0.25, peak);
  ctx.bezierCurveTo(l.half * 0.46, peak + 0.6, l.half * 0.72, l.cornerY - l.upper * 0.35, l.half, l.cornerY);
  upperInner(ctx, l, -1, 0.4);
  ctx.closePath();
}

function lowerLipPath(ctx: Ctx, l: Lips): void {
  const under = l.bottom + l.lower;
  const from = l.cornerY;
  ctx.moveTo(-l.half, from);
  ctx.bezierCurveTo(-l.half * 0.84, from + (under - from) * 0.62, -l.half * 0.52, under, 0, under);
  ctx.bezierCurveTo(l.half * 0.52, under, l.half * 0.84, from + (under - from) * 0.62, l.half, from);
  lowerInner(ctx, l);
  ctx.closePath();
}

/** Draws the mouth and what it does to the skin around it. */
export function drawMouth(ctx: Ctx, spec: AvatarSpec, state: FaceState): void {
  const lips = lipsOf(spec, state);
  drawSkinAround(ctx, spec, state, lips);
  if (lips.gap > 0.8)
    inside(
      ctx,
      () => openingPath(ctx, lips),
      () => drawInside(ctx, state, lips),
    );
  drawLips(ctx, spec, state, lips);
}

function drawSkinAround(ctx: Ctx, spec: AvatarSpec, state: FaceState, l: Lips): void {
  const { skin, face } = spec;
  const smile = Math.max(0, state.smile);
  const under = l.bottom + l.lower;
  glow(ctx, 0, under + 5, l.half * 0.62, 6.5, skin.shade, 0.55);
  glow(ctx, 0, Math.min(under + 17, face.chinY - 2), 20, 11, skin.light, 0.16);
  // The groove between nose and lip.
  glow(ctx, -0.5, l.top - l.upper - 7, 5, 8, skin.shade, 0.3);
  for (const side of [-1, 1]) {
    glow(ctx, side * (l.half + 2.5), l.cornerY + 0.5, 7, 6.5, skin.shade, 0.5 + 0.25 * smile);
    const fold = 0.1 + 0.45 * face.age + 0.4 * smile;
    const x = spec.nose.width + 5;
    softStroke(
      ctx,
      [
        [side * x, 68],
        [side * (x + 9), 74],
        [side * (l.half + 9 + smile * 3), 86],
        [side * (l.half + 12 + smile * 3), 98 - smile * 3],
      ],
      4.6,
      alpha(skin.deep, Math.min(0.45, fold * 0.5)),
      2.2,
    );
    // Cheeks gather above the fold of a smile.
    if (smile > 0) glow(ctx, side * (l.half + 22), 70 - smile * 4, 22, 15, skin.light, 0.2 * smile, side * 0.5);
    if (state.lipPress > 0.4) glow(ctx, side * (l.half + 5), l.cornerY, 5, 7, skin.shade, 0.3);
    if (state.mouthWide < -0.4)
      glow(ctx, side * (l.half + 9), l.cornerY + 1, 8, 13, skin.shade, 0.22 * -state.mouthWide);
  }
}

function drawInside(ctx: Ctx, state: FaceState, l: Lips): void {
  const bottom = l.bottom + 4;
  ctx.fillStyle = vertical(ctx, l.top - 4, bottom, [0, '#2b0d10'], [0.55, '#4a1519'], [1, '#6b2226']);
  ctx.fillRect(-l.half - 2, l.top - 12, l.half * 2 + 4, bottom - l.top + 18);
  const raised = state.tongue;
  if (state.teeth < 0.5) drawTongue(ctx, l, raised);
  drawTeeth(ctx, state, l);
  if (raised > 0.85) drawTongueTip(ctx, l);
  // The upper lip's shadow.
  glow(ctx, 0, l.top - 3, l.half * 0.95, 5 + l.gap * 0.12, '#1d0709', 0.55);
}

function drawTongue(ctx: Ctx, l: Lips, raised: number): void {
  const y = l.bottom + 5 - l.gap * (0.1 + raised * 0.42);
  const rx = l.half * 0.66;
  const ry = Math.max(5, l.gap * (0.32 + raised * 0.2));
  ctx.fillStyle = vertical(ctx, y - ry, y + ry, [0, '#c8676b'], [1, '#923c42']);
  ctx.beginPath();
  ctx.ellipse(0, y + ry * 0.35, rx, ry, 0, 0, Math.PI * 2);
  ctx.fill();
  glow(ctx, -rx * 0.2, y - ry * 0.2, rx * 0.45, ry * 0.34, '#f2a9a6', 0.5);
  glow(ctx, 0, y + ry * 0.2, 2.2, ry * 0.8, '#6f272d', 0.45);
}

function drawTeeth(ctx: Ctx, state: FaceState, l: Lips): void {
  const together = state.teeth;
  // Rounded lips cover the teeth.
  const shown = Math.min(l.gap * (state.lipTuck > 0.4 ? 0.85 : 0.46), 10.5) * (1 - 0.8 * l.round);
  const height = together > 0.5 ? l.gap * 0.58 : shown;
  if (height < 1) return;
  const w = l.half * (0.86 - 0.06 * Math.max(0, -state.mouthWide));
  ctx.fillStyle = toothColor(ctx, w);
  ctx.beginPath();
  ctx.moveTo(-w, l.top - 9);
  ctx.lineTo(w, l.top - 9);
  ctx.bezierCurveTo(w, l.top + height * 0.55, w * 0.5, l.top + height + 0.8, 0, l.top + height + 0.8);
  ctx.bezierCurveTo(-w * 0.5, l.top + height + 0.8, -w, l.top + height * 0.55, -w, l.top - 9);
  ctx.fill();
  for (const x of [-0.62, -0.38, -0.17, 0, 0.17, 0.38, 0.62]) {
    ctx.strokeStyle = alpha('#8a6f66', 0.16);
    ctx.lineWidth = 0.6;
    ctx.beginPath();
    ctx.moveTo(x * w, l.top - 6);
    ctx.lineTo(x * w * 1.02, l.top + height * (1 - x * x * 0.6));
    ctx.stroke();
  }
  const lower = together > 0.5 ? l.gap * 0.5 : Math.max(0, l.gap - 24) * 0.28;
  if (lower > 1 && state.tongue < 0.85) {
    ctx.fillStyle = mixColors('#f3ece4', '#7a4a46', together > 0.5 ? 0.12 : 0.3);
    ctx.beginPath();
    ctx.ellipse(0, l.bottom + 2, w * 0.8, lower + 2, 0, 0, Math.PI * 2);
    ctx.fill();
  }
}

function toothColor(ctx: Ctx, w: number): Gradient {
  const gradient = ctx.createLinearGradient(-w, 0, w, 0);
  for (const [at, color] of [
    [0, '#a58c83'],
    [0.22, '#ece3da'],
    [0.5, '#fbf7f1'],
    [0.78, '#e8ded5'],
    [1, '#98807a'],
  ] as const)
    gradient.addColorStop(at, color);
  return gradient;
}

function drawTongueTip(ctx: Ctx, l: Lips): void {
  const y = l.top + l.gap * 0.62;
  ctx.fillStyle = vertical(ctx, y - 5, y + 7, [0, '#d98081'], [1, '#a84a50']);
  ctx.beginPath();
  ctx.ellipse(0, y, l.half * 0.5, 5.2, 0, 0, Math.PI * 2);
  ctx.fill();
  glow(ctx, -4, y - 1.5, 9, 2.2, '#ffd0cb', 0.45);
}

function drawLips(ctx: Ctx, spec: AvatarSpec, state: FaceState, l: Lips): void {
  const { color, shade, gloss } = spec.mouth;
  const line = mixColors(shade, '#2a0d10', 0.5);
  ctx.beginPath();
  lowerLipPath(ctx, l);
  ctx.fillStyle = vertical(
    ctx,
    l.bottom - 1,
    l.bottom + l.lower,
    [0, mixColors(color, shade, 0.45)],
    [0.4, color],
    [1, mixColors(color, shade, 0.35)],
  );
  ctx.fill();
  inside(
    ctx,
    () => lowerLipPath(ctx, l),
    () => {
      glow(
        ctx,
        -l.half * 0.16,
        l.bottom + l.lower * 0.46,
        l.half * 0.48,
        l.lower * 0.34,
        '#ffffff',
        0.18 + 0.24 * gloss,
      );
      glow(ctx, l.half * 0.75, l.bottom + l.lower * 0.5, l.half * 0.4, l.lower, shade, 0.4);
      glow(ctx, -l.half * 0.85, l.bottom + l.lower * 0.5, l.half * 0.3, l.lower, shade, 0.3);
    },
  );
  ctx.beginPath();
  upperLipPath(ctx, l);
  ctx.fillStyle = vertical(ctx, l.top - l.upper, l.top + 2, [0, mixColors(color, shade, 0.15)], [1, shade]);
  ctx.fill();
  inside(
    ctx,
    () => upperLipPath(ctx, l),
    () => glow(ctx, -l.half * 0.3, l.top - l.upper * 0.85, l.half * 0.35, l.upper * 0.4, '#ffffff', 0.1 + 0.1 * gloss),
  );
  if (l.gap < 7) {
    // The line between closed lips, darkest at the corners.
    const strength = 0.85 - l.gap * 0.1;
    ctx.strokeStyle = alpha(line, strength);
    ctx.lineCap = 'round';
    ctx.lineWidth = 1.5 + 0.4 * state.lipPress;
    ctx.beginPath();
    ctx.moveTo(-l.half, l.cornerY);
    upperInner(ctx, l);
    ctx.stroke();
  }
  for (const side of [-1, 1]) glow(ctx, side * (l.half - 0.5), l.cornerY, 4, 2.8, line, 0.8);
}
