import type { HairLook } from '../avatar-spec.ts';
import type { Ctx, Point } from '../paint.ts';
import { backMass } from './back-mass.ts';
import { drawFlyaways, drawLock, flipLock } from './hair-lock.ts';
import type { Lock } from './hair-lock.ts';

export function bunBack(ctx: Ctx, hair: HairLook): void {
  const bun: Lock = {
    left: [
      [-14, -160],
      [-52, -176],
      [-50, -216],
      [0, -228],
    ],
    right: [
      [14, -160],
      [52, -176],
      [50, -216],
      [0, -228],
    ],
    light: 0.6,
    sheen: 0.5,
  };
  drawLock(ctx, hair, bun, 31);
  drawLock(
    ctx,
    hair,
    {
      left: [
        [-36, -170],
        [-46, -194],
        [-20, -220],
        [18, -222],
      ],
      right: [
        [-8, -166],
        [-14, -186],
        [6, -200],
        [34, -204],
      ],
      light: 0.95,
      sheen: 0.5,
    },
    32,
  );
  backMass(
    ctx,
    hair,
    [
      [0, -176],
      [-64, -168],
      [-108, -116],
      [-112, -40],
      [-100, 40],
      [-70, 80],
    ],
    80,
  );
}

export function bunFront(ctx: Ctx, hair: HairLook): void {
  // Combed up and back from the hairline.
  const half: Lock[] = [
    {
      left: [
        [-99, 6],
        [-109, -50],
        [-96, -118],
        [-46, -164],
        [0, -178],
      ],
      right: [
        [-93, -8],
        [-90, -52],
        [-70, -96],
        [-32, -122],
        [0, -128],
      ],
      light: 0.85,
      sheen: 0.5,
    },
  ];
  half.forEach((lock, i) => {
    drawLock(ctx, hair, lock, 51 + i);
    drawLock(ctx, hair, { ...flipLock(lock), light: lock.light - 0.25 }, 53 + i);
  });
  const strands: readonly (readonly Point[])[] = [
    [
      [-92, -20],
      [-98, 20],
      [-96, 60],
      [-102, 96],
    ],
    [
      [93, -20],
      [99, 24],
      [96, 58],
      [101, 88],
    ],
    [
      [-20, -180],
      [-8, -192],
      [10, -190],
      [22, -182],
    ],
  ];
  drawFlyaways(ctx, hair, strands);
}
