import { seededRandom } from '../../animation/random.ts';
import type { HairLook } from '../avatar-spec.ts';
import { alpha, curveThrough, glow, mixColors } from '../paint.ts';
import type { Ctx, Point } from '../paint.ts';
import { drawFlyaways } from './hair-lock.ts';

/** A cloud of small curls on a dark mass: round at the crown, falling to the jaw at the sides. */
export function curlsBack(ctx: Ctx, hair: HairLook): void {
  ctx.save();
  ctx.filter = `blur(${(4 * Math.abs(ctx.getTransform().a)).toFixed(2)}px)`;
  ctx.fillStyle = mixColors(hair.shade, hair.base, 0.4);
  ctx.beginPath();
  curveThrough(ctx, [
    [0, -190],
    [-80, -176],
    [-132, -118],
    [-148, -40],
    [-146, 40],
    [-120, 104],
    [-70, 110],
    [0, 60],
    [70, 110],
    [120, 104],
    [146, 40],
    [148, -40],
    [132, -118],
    [80, -176],
    [0, -190],
  ]);
  ctx.fill();
  ctx.restore();
  curlCloud(
    ctx,
    hair,
    91,
    330,
    (random) => {
      const angle = Math.PI * (0.82 + random() * 1.36);
      const reach = Math.sqrt(0.45 + random() * 0.62);
      return [Math.cos(angle) * 138 * reach, -44 + Math.sin(angle) * 138 * reach];
    },
    13,
  );
  curlCloud(
    ctx,
    hair,
    92,
    170,
    (random) => {
      const y = -40 + random() * 142;
      return [(random() < 0.5 ? -1 : 1) * (92 + random() * (52 - Math.max(0, y - 50) * 0.3)), y];
    },
    12,
  );
}

export function curlsFront(ctx: Ctx, hair: HairLook): void {
  curlCloud(
    ctx,
    hair,
    93,
    230,
    (random) => {
      const angle = Math.PI * (1.03 + random() * 0.94);
      const reach = 0.88 + random() * 0.3;
      return [Math.cos(angle) * 100 * reach, -44 + Math.sin(angle) * 112 * reach];
    },
    11,
  );
  curlCloud(
    ctx,
    hair,
    94,
    90,
    (random) => [(random() < 0.5 ? -1 : 1) * (97 + random() * 22), -70 + random() * 128],
    10,
  );
  const strays: readonly (readonly Point[])[] = [
    [
      [-120, -140],
      [-136, -150],
      [-140, -138],
    ],
    [
      [124, -130],
      [140, -138],
      [146, -124],
    ],
    [
      [-150, -20],
      [-162, -14],
      [-158, 0],
    ],
    [
      [150, 20],
      [162, 26],
      [156, 40],
    ],
  ];
  drawFlyaways(ctx, hair, strays);
}

function curlCloud(
  ctx: Ctx,
  hair: HairLook,
  seed: number,
  count: number,
  place: (random: () => number) => Point,
  size: number,
): void {
  const random = seededRandom(seed);
  const curls = Array.from({ length: count }, () => ({
    at: place(random),
    r: size * (0.6 + random() * 0.6),
    turn: random() * 6.3,
  }));
  // Curls further up are behind.
  curls.sort((a, b) => a.at[1] - b.at[1]);
  for (const {
    at: [x, y],
    r,
    turn,
  } of curls) {
    const lit = Math.max(0, Math.min(1, 0.6 - (x + 70) / 330 - (y + 100) / 420));
    glow(ctx, x + r * 0.15, y + r * 0.3, r * 1.25, r * 1.25, hair.shade, 0.75);
    // A ringlet: three arcs that wind inwards.
    for (const [share, width, tone] of [
      [0.95, 3.2, 0.1],
      [0.66, 2.7, 0.45],
      [0.36, 2, 0.8],
    ] as const) {
      ctx.strokeStyle = alpha(mixColors(hair.base, hair.light, tone * (0.35 + 0.65 * lit)), 0.9);
      ctx.lineWidth = width * (r / 10);
      ctx.lineCap = 'round';
      ctx.beginPath();
      ctx.arc(x, y, r * share, turn + tone, turn + tone + 4.1);
      ctx.stroke();
    }
  }
}
