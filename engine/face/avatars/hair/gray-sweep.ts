import type { HairLook } from '../avatar-spec.ts';
import type { Ctx } from '../paint.ts';
import { drawLock } from './hair-lock.ts';
import type { Lock } from './hair-lock.ts';
import { shortSides } from './short-sides.ts';

/** From the back to the front. */
const ROWS: Lock[] = [
  {
    left: [
      [-84, -96],
      [-104, -130],
      [-70, -168],
      [-10, -176],
    ],
    right: [
      [-70, -100],
      [-72, -128],
      [-44, -150],
      [0, -160],
    ],
    light: 0.75,
    sheen: 0.5,
  },
  {
    left: [
      [84, -92],
      [106, -130],
      [72, -170],
      [6, -178],
    ],
    right: [
      [72, -98],
      [74, -128],
      [46, -150],
      [0, -160],
    ],
    light: 0.5,
    sheen: 0.5,
  },
  {
    left: [
      [-72, -104],
      [-76, -146],
      [-30, -184],
      [40, -184],
    ],
    right: [
      [-46, -114],
      [-42, -140],
      [-10, -162],
      [44, -166],
    ],
    light: 1,
    sheen: 0.5,
  },
  {
    left: [
      [-48, -114],
      [-44, -158],
      [12, -188],
      [70, -166],
    ],
    right: [
      [-14, -120],
      [-4, -148],
      [26, -162],
      [68, -152],
    ],
    light: 0.95,
    sheen: 0.5,
  },
  {
    left: [
      [-16, -120],
      [0, -164],
      [46, -184],
      [92, -138],
    ],
    right: [
      [70, -102],
      [72, -124],
      [76, -140],
      [92, -128],
    ],
    light: 0.8,
    sheen: 0.5,
  },
];

export function graySweepFront(ctx: Ctx, hair: HairLook): void {
  shortSides(ctx, hair, 16);
  ROWS.forEach((lock, i) => drawLock(ctx, hair, lock, 100 + i));
}
