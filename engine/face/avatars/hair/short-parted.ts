import type { HairLook } from '../avatar-spec.ts';
import { curveThrough, vertical } from '../paint.ts';
import type { Ctx } from '../paint.ts';
import { drawFlyaways, drawLock } from './hair-lock.ts';
import type { Lock } from './hair-lock.ts';
import { shortSides } from './short-sides.ts';

/** From the back to the front. */
const LOCKS: readonly Lock[] = [
  {
    left: [
      [-58, -164],
      [-88, -150],
      [-106, -116],
      [-103, -58],
    ],
    right: [
      [-54, -122],
      [-70, -120],
      [-88, -96],
      [-93, -52],
    ],
    light: 0.6,
    sheen: 0.4,
  },
  {
    left: [
      [-64, -160],
      [-24, -196],
      [70, -196],
      [112, -128],
      [103, -50],
    ],
    right: [
      [-50, -128],
      [-10, -142],
      [58, -140],
      [88, -104],
      [93, -48],
    ],
    light: 0.55,
    sheen: 0.4,
  },
  {
    left: [
      [-66, -150],
      [-36, -192],
      [44, -204],
      [98, -98],
    ],
    right: [
      [-54, -122],
      [-16, -136],
      [42, -138],
      [92, -96],
    ],
    light: 0.75,
    sheen: 0.42,
  },
  {
    left: [
      [-66, -142],
      [-48, -184],
      [30, -198],
      [84, -98],
    ],
    right: [
      [-58, -114],
      [-24, -126],
      [28, -128],
      [80, -96],
    ],
    light: 0.9,
    sheen: 0.45,
  },
  {
    left: [
      [-68, -132],
      [-54, -168],
      [6, -180],
      [62, -102],
    ],
    right: [
      [-64, -106],
      [-36, -112],
      [6, -116],
      [58, -100],
    ],
    light: 1,
    sheen: 0.48,
  },
];

export function shortPartedFront(ctx: Ctx, hair: HairLook): void {
  shortSides(ctx, hair, 6);
  const crown = () => {
    curveThrough(ctx, [
      [-98, -60],
      [-104, -112],
      [-76, -158],
      [-20, -182],
      [44, -182],
      [92, -150],
      [106, -100],
      [98, -52],
      [90, -92],
      [60, -116],
      [10, -122],
      [-40, -116],
      [-84, -96],
    ]);
    ctx.closePath();
  };
  ctx.fillStyle = vertical(ctx, -180, -60, [0, hair.base], [1, hair.shade]);
  ctx.beginPath();
  crown();
  ctx.fill();
  // Combed over from a parting on the left, layer on layer, the front one on top.
  LOCKS.forEach((lock, i) => drawLock(ctx, hair, lock, 80 + i));
  drawFlyaways(ctx, hair, [
    [
      [-40, -190],
      [0, -208],
      [44, -204],
      [84, -178],
    ],
    [
      [-96, -140],
      [-112, -120],
      [-112, -90],
      [-108, -70],
    ],
  ]);
}
