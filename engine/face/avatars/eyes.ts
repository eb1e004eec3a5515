import type { FaceState } from '../animation/face-state.ts';
import type { AvatarSpec } from './avatar-spec.ts';
import { alpha, curveThrough, glow, inside, mixColors, mirrored, softStroke, vertical } from './paint.ts';
import type { Ctx, Point } from './paint.ts';

/** Distance of the eyes from the middle of the face. */
export const EYE_X = 45;
/**
 * Height of the upper lid over the middle of an open eye. It covers the top of the iris; otherwise the eye would stare.
 */
const OPEN_Y = -12.2;
const LASH = '#1c1214';

/** The lid lines of one eye, seen as the right-hand one: inner corner at the left. */
interface Lids {
  readonly inner: Point;
  readonly outer: Point;
  readonly upperY: number;
  readonly lowerY: number;
}

function lidsOf(spec: AvatarSpec, state: FaceState): Lids {
  const { size, tilt } = spec.eyes;
  const lift = Math.max(0, state.smile) * 2.6;
  const sag = spec.face.age * 1.4;
  const lowerY = (9.2 - lift) * size;
  const openY = (OPEN_Y + sag) * size;
  // Closed lids meet near the lower line, as they do in life.
  const upperY = lowerY * 0.72 + (openY - lowerY * 0.72) * state.lids;
  return { inner: [-23 * size, 4], outer: [24.5 * size, 1.5 - tilt], upperY, lowerY };
}

function upperLine(l: Lids): Point[] {
  const [ix, iy] = l.inner;
  const [ox, oy] = l.outer;
  const w = ox - ix;
  return [
    l.inner,
    [ix + w * 0.2, iy + (l.upperY - iy) * 0.66],
    [ix + w * 0.46, l.upperY],
    [ix + w * 0.75, oy + (l.upperY - oy) * 0.72],
    l.outer,
  ];
}

function lowerLine(l: Lids): Point[] {
  const [ix, iy] = l.inner;
  const [ox, oy] = l.outer;
  const w = ox - ix;
  return [
    l.outer,
    [ix + w * 0.78, oy + (l.lowerY - oy) * 0.74],
    [ix + w * 0.5, l.lowerY],
    [ix + w * 0.22, iy + (l.lowerY - iy) * 0.62],
    l.inner,
  ];
}

/** Draws both eyes with lids, lashes and the skin between lid and brow. */
export function drawEyes(ctx: Ctx, spec: AvatarSpec, state: FaceState): void {
  const lids = lidsOf(spec, state);
  mirrored(ctx, (side) => {
    ctx.translate(EYE_X, 0);
    drawSocket(ctx, spec, lids, state);
    if (state.lids > 0.06)
      inside(
        ctx,
        () => {
          curveThrough(ctx, upperLine(lids));
          curveThrough(ctx, lowerLine(lids), true);
          ctx.closePath();
        },
        () => drawBall(ctx, spec, state, side, lids),
      );
    drawLids(ctx, spec, state, lids);
  });
}

function drawSocket(ctx: Ctx, spec: AvatarSpec, l: Lids, state: FaceState): void {
  const { skin, eyes, face } = spec;
  const openY = (OPEN_Y + face.age * 1.4) * eyes.size;
  // Lid skin between crease and lash line: the part that is seen when the eye closes.
  const top = openY - 6.5;
  ctx.beginPath();
  curveThrough(ctx, upperLine({ ...l, upperY: top }));
  curveThrough(ctx, [...upperLine(l)].reverse(), true);
  ctx.closePath();
  ctx.fillStyle = vertical(
    ctx,
    top,
    Math.max(l.upperY, top + 4),
    [0, alpha(eyes.lidColor, 0.55)],
    [0.5, alpha(mixColors(skin.base, eyes.lidColor, 0.5), 0.75)],
    [1, alpha(eyes.lidColor, 0.9)],
  );
  ctx.fill();
  if (state.lids < 0.5) glow(ctx, 0, (top + l.upperY) / 2 + 1, 17, 7, skin.light, 0.22 * (1 - state.lids));
  const crease: Point[] = upperLine({
    inner: [l.inner[0] + 3, l.inner[1] - 6],
    outer: [l.outer[0] + 1, l.outer[1] - 5],
    upperY: top,
    lowerY: 0,
  });
  softStroke(ctx, crease, 2.6, alpha(skin.deep, 0.3 + 0.45 * eyes.crease), 0.5);
  // Bags: a soft edge under the eye, stronger with age and smiles.
  softStroke(
    ctx,
    [
      [-18, 13.5],
      [-5, 17.5],
      [9, 17],
      [21, 11.5],
    ],
    3.6,
    alpha(skin.shade, 0.24 + 0.5 * face.age + 0.24 * Math.max(0, state.smile)),
    1.5,
  );
}

function drawBall(ctx: Ctx, spec: AvatarSpec, state: FaceState, side: 1 | -1, l: Lids): void {
  const { eyes } = spec;
  const r = 12.6 * eyes.size;
  ctx.fillStyle = vertical(ctx, -14, 12, [0, '#c9c2c4'], [0.4, '#f4f0ee'], [1, '#e9e1df']);
  ctx.fillRect(-32, -26, 64, 48);
  glow(ctx, l.inner[0] + 1, 4, 7, 6, '#d98c86', 0.6);
  glow(ctx, l.outer[0], 1, 8, 9, '#b3a3a4', 0.5);
  const x = 1 + state.gazeX * side * 9;
  const y = -2.2 + state.gazeY * 6;
  const iris = ctx.createRadialGradient(x, y + 3, 2, x, y, r);
  for (const [at, color] of [
    [0, mixColors(eyes.iris, '#ffffff', 0.22)],
    [0.45, eyes.iris],
    [0.8, mixColors(eyes.iris, eyes.irisRim, 0.6)],
    [1, eyes.irisRim],
  ] as const)
    iris.addColorStop(at, color);
  ctx.fillStyle = iris;
  ctx.beginPath();
  ctx.arc(x, y, r, 0, Math.PI * 2);
  ctx.fill();
  // Fibres of the iris.
  ctx.lineWidth = 0.55;
  for (let i = 0; i < 28; i++) {
    const angle = (i / 28) * Math.PI * 2;
    ctx.strokeStyle = alpha(i % 2 === 0 ? '#ffffff' : eyes.irisRim, 0.16);
    ctx.beginPath();
    ctx.moveTo(x + Math.cos(angle) * 5.5, y + Math.sin(angle) * 5.5);
    ctx.lineTo(x + Math.cos(angle) * r * 0.85, y + Math.sin(angle) * r * 0.85);
    ctx.stroke();
  }
  ctx.fillStyle = '#0b0708';
  ctx.beginPath();
  ctx.arc(x, y, 5.6 * eyes.size, 0, Math.PI * 2);
  ctx.fill();
  glow(ctx, x, y + r * 0.62, r * 0.62, r * 0.32, mixColors(eyes.iris, '#ffffff', 0.55), 0.5);
  // The lid's shadow on the ball.
  glow(ctx, 0, l.upperY - 1, 27, 8, '#241418', 0.55);
  // Catchlights stay where the lamp is, on the same side of both eyes.
  const lamp = -side;
  ctx.fillStyle = 'rgba(255, 255, 255, 0.95)';
  ctx.beginPath();
  ctx.ellipse(x + lamp * 4.4, y - 4.6, 3.2, 3.6, 0, 0, Math.PI * 2);
  ctx.fill();
  ctx.fillStyle = 'rgba(255, 255, 255, 0.5)';
  ctx.beginPath();
  ctx.arc(x - lamp * 4.6, y + 4.6, 1.5, 0, Math.PI * 2);
  ctx.fill();
}

function drawLids(ctx: Ctx, spec: AvatarSpec, state: FaceState, l: Lids): void {
  const { skin, eyes } = spec;
  const upper = upperLine(l);
  const lower = lowerLine(l);
  // The wet rim of the lower lid.
  ctx.lineCap = 'round';
  ctx.lineWidth = 1.3;
  ctx.strokeStyle = alpha(mixColors(skin.light, '#f0b8ac', 0.45), 0.75);
  ctx.beginPath();
  curveThrough(
    ctx,
    lower.map(([x, y]) => [x * 0.93, y + 0.4] as const),
  );
  ctx.stroke();
  ctx.lineWidth = 0.9;
  ctx.strokeStyle = alpha(skin.deep, 0.55);
  ctx.beginPath();
  curveThrough(
    ctx,
    lower.map(([x, y]) => [x, y + 1.3] as const),
  );
  ctx.stroke();
  // The lash line: a wedge that grows towards the outer corner.
  const weight = 1.7 + eyes.lashes * 2.1;
  const [ox, oy] = l.outer;
  const wing = eyes.lashes * 4.5;
  ctx.fillStyle = mixColors(LASH, skin.deep, 0.15);
  ctx.beginPath();
  curveThrough(ctx, [...upper.slice(0, 4), [ox + wing * 0.9, oy - wing * 0.7]]);
  curveThrough(
    ctx,
    [
      [ox + wing * 0.9, oy - wing * 0.7],
      [upper[3]![0], upper[3]![1] - weight],
      [upper[2]![0], upper[2]![1] - weight * 0.9],
      [upper[1]![0], upper[1]![1] - weight * 0.45],
      upper[0]!,
    ],
    true,
  );
  ctx.closePath();
  ctx.fill();
  drawLashes(ctx, eyes.lashes, upper, state.lids);
}

function drawLashes(ctx: Ctx, amount: number, upper: readonly Point[], lids: number): void {
  if (amount < 0.3) return;
  ctx.strokeStyle = alpha(LASH, 0.85);
  ctx.lineWidth = 0.9;
  const [, , mid, late, end] = upper as [Point, Point, Point, Point, Point];
  const roots: readonly Point[] = [
    mid,
    [(mid[0] + late[0]) / 2, (mid[1] + late[1]) / 2 - 0.6],
    late,
    [(late[0] + end[0]) / 2 + 0.5, (late[1] + end[1]) / 2 - 0.8],
  ];
  // Open lashes point up, closed ones down.
  const up = lids > 0.35 ? -1 : 1;
  roots.forEach(([x, y], i) => {
    const length = amount * (3.6 + i * 0.9);
    ctx.beginPath();
    ctx.moveTo(x, y - 0.5);
    ctx.quadraticCurveTo(
      x + length * 0.3,
      y + up * length * 0.7,
      x + length * (0.45 + i * 0.14),
      y + up * length * 1.05,
    );
    ctx.stroke();
  });
}
