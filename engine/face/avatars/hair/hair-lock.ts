import { seededRandom } from '../../animation/random.ts';
import type { HairLook } from '../avatar-spec.ts';
import { alpha, between, curveThrough, inside, mixColors, taperedStroke } from '../paint.ts';
import type { Ctx, Point } from '../paint.ts';

/** One mass of hair between two guide curves, from root to tip. Strands follow the guides. */
export interface Lock {
  readonly left: readonly Point[];
  readonly right: readonly Point[];
  /** 0 in the shade … 1 in the light. */
  readonly light: number;
  /** Where along the lock the sheen lies, 0 root … 1 tip; null for none. */
  readonly sheen: number | null;
}

export function drawLock(ctx: Ctx, hair: HairLook, lock: Lock, seed: number): void {
  const random = seededRandom(seed);
  const path = () => {
    curveThrough(ctx, lock.left);
    curveThrough(ctx, [...lock.right].reverse(), true);
    ctx.closePath();
  };
  const [rootX, rootY] = lock.left[0]!;
  const [tipX, tipY] = lock.right.at(-1)!;
  const body = ctx.createLinearGradient(rootX, rootY, tipX, tipY);
  const base = mixColors(hair.shade, hair.base, 0.4 + 0.6 * lock.light);
  body.addColorStop(0, mixColors(base, hair.shade, 0.45));
  body.addColorStop(0.35, base);
  body.addColorStop(0.7, mixColors(base, hair.light, 0.2 * lock.light));
  body.addColorStop(1, mixColors(base, hair.shade, 0.5));
  ctx.fillStyle = body;
  ctx.beginPath();
  path();
  ctx.fill();
  inside(ctx, path, () => {
    const width = Math.hypot(lock.left[1]![0] - lock.right[1]![0], lock.left[1]![1] - lock.right[1]![1]);
    const strands = Math.max(10, Math.round(width * 0.85));
    for (let i = 0; i < strands; i++) {
      const strand = between(lock.left, lock.right, random());
      const tone = random();
      const color = tone < 0.45 ? hair.shade : tone < 0.75 ? mixColors(hair.base, hair.light, 0.4) : hair.light;
      taperedStroke(ctx, strand, 1 + random() * 2.2, alpha(color, tone < 0.45 ? 0.3 : 0.16 + 0.2 * lock.light));
    }
    if (lock.sheen !== null) drawSheen(ctx, hair, lock, lock.sheen, random);
  });
}

/** A band of light across the strands, made of short strokes along them. */
function drawSheen(ctx: Ctx, hair: HairLook, lock: Lock, at: number, random: () => number): void {
  for (let i = 0; i < 30; i++) {
    const strand = between(lock.left, lock.right, 0.08 + 0.84 * random());
    const segments = strand.length - 1;
    const center = at + (random() - 0.5) * 0.1;
    const half = 0.06 + random() * 0.09;
    const part: Point[] = [];
    for (let s = 0; s <= 6; s++) {
      const t = Math.max(0, Math.min(0.999, center - half + (half * 2 * s) / 6)) * segments;
      const j = Math.floor(t);
      const [ax, ay] = strand[j]!;
      const [bx, by] = strand[j + 1]!;
      part.push([ax + (bx - ax) * (t - j), ay + (by - ay) * (t - j)]);
    }
    taperedStroke(ctx, part, 1.4 + random() * 2.2, alpha(mixColors(hair.light, '#ffffff', 0.22), 0.2));
  }
}

export function flipLock(lock: Lock): Lock {
  const flip = (points: readonly Point[]): Point[] => points.map(([x, y]) => [-x, y] as const);
  return { ...lock, left: flip(lock.left), right: flip(lock.right) };
}

/** Loose hairs outside of the outline: without them hair looks like a helmet. */
export function drawFlyaways(ctx: Ctx, hair: HairLook, curves: readonly (readonly Point[])[]): void {
  for (const curve of curves) taperedStroke(ctx, curve, 1, alpha(hair.base, 0.55));
}
