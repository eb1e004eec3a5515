import { seededRandom } from '../../animation/random.ts';
import type { HairLook } from '../avatar-spec.ts';
import { alpha, curveThrough, glow, inside, mixColors, vertical } from '../paint.ts';
import type { Ctx } from '../paint.ts';

export function cropFront(ctx: Ctx, hair: HairLook): void {
  const path = () => {
    curveThrough(ctx, [
      [-101, 2],
      [-107, -60],
      [-96, -122],
      [-56, -160],
      [0, -170],
      [56, -160],
      [96, -122],
      [107, -60],
      [101, 2],
      [94, 0],
      [91, -52],
      [82, -92],
      [66, -106],
      [34, -113],
      [0, -115],
      [-34, -113],
      [-66, -106],
      [-82, -92],
      [-91, -52],
      [-94, 0],
    ]);
    ctx.closePath();
  };
  ctx.save();
  ctx.filter = 'blur(1.2px)';
  ctx.fillStyle = vertical(ctx, -172, 4, [0, hair.base], [0.7, hair.shade], [1, alpha(hair.shade, 0.3)]);
  ctx.beginPath();
  path();
  ctx.fill();
  ctx.restore();
  inside(ctx, path, () => {
    glow(ctx, -34, -152, 62, 26, hair.light, 0.6);
    const random = seededRandom(77);
    for (let i = 0; i < 900; i++) {
      const x = (random() - 0.5) * 214;
      const y = -172 + random() * 170;
      ctx.strokeStyle = alpha(random() < 0.4 ? hair.light : mixColors(hair.shade, '#000000', 0.4), 0.34);
      ctx.lineWidth = 1;
      ctx.beginPath();
      ctx.arc(x, y, 1.2 + random() * 1.6, random() * 6, random() * 6 + 3.4);
      ctx.stroke();
    }
  });
}
