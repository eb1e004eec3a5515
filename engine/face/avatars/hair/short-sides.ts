import { seededRandom } from '../../animation/random.ts';
import type { HairLook } from '../avatar-spec.ts';
import { alpha, curveThrough, inside, taperedStroke, vertical } from '../paint.ts';
import type { Ctx } from '../paint.ts';

/** Short sides that fade into the skin at the ears. */
export function shortSides(ctx: Ctx, hair: HairLook, reach: number): void {
  for (const s of [-1, 1]) {
    const path = () => {
      curveThrough(ctx, [
        [s * 60, -150],
        [s * 98, -112],
        [s * 103, -50],
        [s * 100, reach],
        [s * 93, reach + 4],
        [s * 90, -30],
        [s * 82, -74],
        [s * 60, -110],
      ]);
      ctx.closePath();
    };
    ctx.save();
    ctx.filter = 'blur(1.6px)';
    ctx.fillStyle = vertical(
      ctx,
      -150,
      reach + 4,
      [0, hair.base],
      [0.6, alpha(hair.shade, 0.95)],
      [1, alpha(hair.shade, 0.25)],
    );
    ctx.beginPath();
    path();
    ctx.fill();
    ctx.restore();
    inside(ctx, path, () => {
      const random = seededRandom(s + 5);
      for (let i = 0; i < 90; i++) {
        const x = s * (82 + random() * 22);
        const y = -130 + random() * (reach + 118);
        taperedStroke(
          ctx,
          [
            [x, y],
            [x + s * 1.2, y + 7],
            [x + s * 1.5, y + 13],
          ],
          1.3,
          alpha(random() < 0.5 ? hair.light : hair.shade, 0.3),
        );
      }
    });
  }
}
