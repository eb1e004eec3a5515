import type { HairLook } from '../avatar-spec.ts';
import { glow } from '../paint.ts';
import type { Ctx } from '../paint.ts';
import { backMass } from './back-mass.ts';
import { drawLock } from './hair-lock.ts';
import type { Lock } from './hair-lock.ts';

export function bobBack(ctx: Ctx, hair: HairLook): void {
  backMass(
    ctx,
    hair,
    [
      [0, -184],
      [-66, -174],
      [-114, -120],
      [-126, -40],
      [-130, 40],
      [-126, 110],
      [-104, 150],
      [-60, 160],
    ],
    160,
  );
  glow(ctx, 0, 100, 96, 80, hair.shade, 0.9);
}

/** The half with the light. */
const SIDE: Lock = {
  left: [
    [10, -180],
    [-74, -168],
    [-120, -92],
    [-130, 0],
    [-132, 80],
    [-112, 146],
  ],
  right: [
    [10, -150],
    [-60, -128],
    [-88, -60],
    [-96, 10],
    [-90, 80],
    [-78, 138],
  ],
  light: 0.9,
  sheen: 0.34,
};

/** The half in the shade. */
const OTHER_SIDE: Lock = {
  left: [
    [6, -180],
    [82, -168],
    [122, -92],
    [130, 0],
    [132, 80],
    [112, 146],
  ],
  right: [
    [8, -150],
    [66, -126],
    [90, -60],
    [97, 10],
    [91, 80],
    [80, 138],
  ],
  light: 0.65,
  sheen: 0.36,
};

/** Four locks just above the brows: where they end, how far they lean, and their light. */
const FRINGE: readonly (readonly [number, number, number])[] = [
  [-86, -22, 0.85],
  [-46, -14, 1],
  [0, -14, 0.95],
  [44, -22, 0.75],
];

export function bobFront(ctx: Ctx, hair: HairLook): void {
  drawLock(ctx, hair, SIDE, 11);
  drawLock(ctx, hair, OTHER_SIDE, 12);
  for (const [i, [x, lean, light]] of FRINGE.entries()) {
    const w = 50;
    drawLock(
      ctx,
      hair,
      {
        left: [
          [x * 0.35, -178],
          [x * 0.8, -140],
          [x + lean * 0.3, -92],
          [x + lean * 0.45, -60],
        ],
        right: [
          [x * 0.35 + 26, -178],
          [x * 0.8 + w * 0.85, -140],
          [x + w + lean * 0.1, -92],
          [x + w - 2, -58],
        ],
        light,
        sheen: 0.55,
      },
      20 + i,
    );
  }
}
