import type { AvatarSpec } from './avatar-spec.ts';
import { alpha, curveThrough, glow, mixColors, softStroke, taperedStroke } from './paint.ts';
import type { Ctx } from './paint.ts';

export function drawNose(ctx: Ctx, { skin, nose }: AvatarSpec): void {
  const tip = 62 * nose.length;
  const w = nose.width;
  drawBridge(ctx, skin, nose);
  // The ball and the wings.
  glow(ctx, w * 0.45, tip, w * 0.9, 14, skin.shade, 0.42);
  glow(ctx, -3, tip - 4, 14, 12, skin.light, 0.62);
  glow(ctx, 0, tip + 15, w * 1.35, 9, skin.deep, 0.5);
  glow(ctx, w * 0.2, tip + 20, w * 1.1, 11, skin.shade, 0.4);
  glow(ctx, 0, tip + 4, w * 0.9, 10, skin.blush, 0.22);
  for (const s of [-1, 1] as const) drawNostril(ctx, skin, nose, s);
  taperedStroke(
    ctx,
    [
      [-w * 0.35, tip + 10.5],
      [0, tip + 12.8],
      [w * 0.35, tip + 10.5],
    ],
    2.2,
    alpha(skin.deep, 0.5),
  );
  glow(ctx, -4.5, tip - 5, 5, 6, '#ffffff', 0.5, 0.3);
}

/** A lit plane, then the shadow side. */
function drawBridge(ctx: Ctx, skin: AvatarSpec['skin'], nose: AvatarSpec['nose']): void {
  const tip = 62 * nose.length;
  const w = nose.width;
  softStroke(
    ctx,
    [
      [17, -30],
      [11, -6],
      [12, 22],
      [w * 0.72, tip - 2],
    ],
    12,
    alpha(skin.shade, 0.34 + 0.4 * nose.bridge),
    3,
  );
  softStroke(
    ctx,
    [
      [-16, -30],
      [-11, -8],
      [-11, 20],
      [-w * 0.66, tip - 8],
    ],
    8,
    alpha(skin.shade, 0.2 + 0.24 * nose.bridge),
    3,
  );
  softStroke(
    ctx,
    [
      [-3, -36],
      [-3, -8],
      [-3.5, 20],
      [-4, tip],
    ],
    9,
    alpha(skin.light, 0.62),
    2.4,
  );
}

/** @param s -1 for the left side of the image, 1 for the right. */
function drawNostril(ctx: Ctx, skin: AvatarSpec['skin'], nose: AvatarSpec['nose'], s: -1 | 1): void {
  const tip = 62 * nose.length;
  const w = nose.width;
  ctx.strokeStyle = alpha(skin.deep, s > 0 ? 0.42 : 0.3);
  ctx.lineWidth = 1.7;
  ctx.lineCap = 'round';
  ctx.beginPath();
  curveThrough(ctx, [
    [s * (w - 1), tip - 6],
    [s * (w + 2.5), tip + 1.5],
    [s * (w + 0.5), tip + 7.5],
    [s * (w - 5), tip + 9.5],
  ]);
  ctx.stroke();
  ctx.fillStyle = alpha(mixColors(skin.deep, '#1a0808', 0.5), 0.85);
  ctx.beginPath();
  ctx.ellipse(s * w * 0.52, tip + 8.8, w * 0.25, 3, s * -0.28, 0, Math.PI * 2);
  ctx.fill();
}
