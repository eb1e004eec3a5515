import type { HairLook } from '../avatar-spec.ts';
import { curveThrough, mixColors, vertical } from '../paint.ts';
import type { Ctx, Point } from '../paint.ts';

/** Hair behind the head: the right half mirrors the `outline` of the left one. It is darkest at `floor`. */
export function backMass(ctx: Ctx, hair: HairLook, outline: readonly Point[], floor: number): void {
  ctx.fillStyle = vertical(
    ctx,
    -170,
    floor,
    [0, hair.base],
    [0.5, mixColors(hair.base, hair.shade, 0.7)],
    [1, hair.shade],
  );
  ctx.beginPath();
  curveThrough(ctx, outline);
  curveThrough(
    ctx,
    [...outline].reverse().map(([x, y]) => [-x, y] as const),
    true,
  );
  ctx.closePath();
  ctx.fill();
}
