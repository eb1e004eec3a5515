import type { FaceState } from '../animation/face-state.ts';
import type { AvatarSpec } from './avatar-spec.ts';
import { alpha, curveThrough, glow, mixColors, mirrored } from './paint.ts';
import type { Ctx, Point } from './paint.ts';

const BROW_Y = -39;
const RAISE = 10;
const SLANT = 7.5;

/** Draws both brows: a soft body, then single hairs along it. */
export function drawBrows(ctx: Ctx, spec: AvatarSpec, state: FaceState): void {
  const { brows, skin, face } = spec;
  const lift = -state.browRaise * (state.browRaise > 0 ? RAISE : RAISE * 0.5);
  const inner = lift + state.browSlant * (state.browSlant > 0 ? SLANT * 0.7 : SLANT * 1.1);
  const outer = lift * 0.8 - state.browSlant * 2;
  const pull = Math.max(0, state.browSlant) * 3.5 + Math.max(0, -state.browSlant) * 1.5;
  if (state.browRaise > 0.25) {
    // Wrinkles on the forehead.
    const strength = (state.browRaise - 0.25) * (0.12 + 0.3 * face.age);
    for (const y of [-62, -69]) glow(ctx, 0, y - state.browRaise * 3, 46, 2.6, skin.shade, strength * 1.6);
  }
  if (state.browSlant > 0.3)
    for (const x of [-4.5, 4.5]) glow(ctx, x, BROW_Y + 2, 1.8, 9, skin.shade, (state.browSlant - 0.3) * 0.8);
  mirrored(ctx, () => {
    const t = brows.thickness;
    const top: Point[] = [
      [19 - pull, BROW_Y + inner - t * 0.36],
      [36 - pull, BROW_Y - 4.5 + lift - brows.arch * 0.6 - t * 0.62],
      [54, BROW_Y - 6 + outer - brows.arch - t * 0.4],
      [75, BROW_Y + 3.5 + outer],
    ];
    const under: Point[] = [
      [75, BROW_Y + 4 + outer],
      [54, BROW_Y - 3 + outer - brows.arch * 0.9 + t * 0.28],
      [36 - pull, BROW_Y + lift + t * 0.4 - brows.arch * 0.4],
      [18 - pull, BROW_Y + inner + t * 0.62],
    ];
    const body = ctx.createLinearGradient(16, 0, 76, 0);
    body.addColorStop(0, alpha(brows.color, 0.05));
    body.addColorStop(0.22, alpha(brows.color, 0.6));
    body.addColorStop(0.5, alpha(brows.color, 0.85));
    body.addColorStop(1, alpha(brows.color, 0.8));
    ctx.fillStyle = body;
    ctx.beginPath();
    curveThrough(ctx, top);
    curveThrough(ctx, under, true);
    ctx.closePath();
    ctx.filter = `blur(${(0.7 * Math.abs(ctx.getTransform().a)).toFixed(2)}px)`;
    ctx.fill();
    ctx.filter = 'none';
    drawHairs(ctx, brows.color, top, [...under].reverse());
  });
}

function drawHairs(ctx: Ctx, color: string, top: readonly Point[], under: readonly Point[]): void {
  ctx.lineWidth = 0.8;
  for (let i = 0; i < 26; i++) {
    const along = i / 26;
    const [ax, ay] = pointOn(under, along);
    const [bx, by] = pointOn(top, Math.min(1, along + 0.09));
    ctx.strokeStyle = alpha(
      i % 3 === 0 ? mixColors(color, '#ffffff', 0.14) : mixColors(color, '#000000', 0.25),
      0.2 + 0.4 * Math.min(1, along * 3),
    );
    ctx.beginPath();
    ctx.moveTo(ax, ay - 0.3);
    ctx.lineTo(bx, by + 0.3);
    ctx.stroke();
  }
}

/** A point of an open line of points, by share of its segments. */
function pointOn(points: readonly Point[], share: number): Point {
  const at = Math.min(points.length - 1.001, share * (points.length - 1));
  const i = Math.floor(at);
  const [ax, ay] = points[i]!;
  const [bx, by] = points[i + 1]!;
  return [ax + (bx - ax) * (at - i), ay + (by - ay) * (at - i)];
}
