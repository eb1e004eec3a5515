import type { HairLook } from '../avatar-spec.ts';
import { glow } from '../paint.ts';
import type { Ctx } from '../paint.ts';
import { backMass } from './back-mass.ts';
import { drawFlyaways, drawLock, flipLock } from './hair-lock.ts';
import type { Lock } from './hair-lock.ts';

export function longWavesBack(ctx: Ctx, hair: HairLook): void {
  backMass(
    ctx,
    hair,
    [
      [0, -190],
      [-56, -181],
      [-102, -140],
      [-122, -76],
      [-128, -10],
      [-138, 60],
      [-136, 120],
      [-150, 190],
      [-138, 248],
      [-100, 268],
    ],
    270,
  );
  glow(ctx, 0, 110, 100, 130, hair.shade, 0.9);
}

/** Below the others, on both sides. */
const UNDER: readonly Lock[] = [
  {
    left: [
      [-96, -30],
      [-118, 50],
      [-104, 120],
      [-126, 190],
      [-112, 246],
      [-84, 266],
    ],
    right: [
      [-86, -20],
      [-94, 50],
      [-76, 124],
      [-88, 196],
      [-74, 244],
      [-78, 268],
    ],
    light: 0.35,
    sheen: 0.5,
  },
  {
    left: [
      [-104, 20],
      [-142, 90],
      [-132, 150],
      [-158, 204],
      [-150, 248],
      [-122, 266],
    ],
    right: [
      [-96, 20],
      [-112, 90],
      [-104, 156],
      [-124, 208],
      [-116, 248],
      [-116, 268],
    ],
    light: 0.5,
    sheen: 0.45,
  },
];

/** Of the side with the light. */
const LEFT: readonly Lock[] = [
  {
    left: [
      [-18, -188],
      [-64, -178],
      [-104, -138],
      [-123, -72],
      [-130, 4],
      [-148, 78],
      [-138, 146],
      [-156, 206],
      [-136, 254],
    ],
    right: [
      [-18, -150],
      [-44, -136],
      [-74, -108],
      [-94, -52],
      [-99, 18],
      [-114, 84],
      [-100, 150],
      [-118, 210],
      [-128, 256],
    ],
    light: 0.7,
    sheen: 0.27,
  },
  {
    left: [
      [-16, -182],
      [-72, -150],
      [-106, -76],
      [-110, -6],
      [-128, 66],
      [-112, 134],
      [-130, 192],
      [-104, 240],
    ],
    right: [
      [-16, -132],
      [-52, -112],
      [-84, -60],
      [-93, 0],
      [-104, 64],
      [-84, 132],
      [-98, 194],
      [-98, 242],
    ],
    light: 0.95,
    sheen: 0.36,
  },
  {
    left: [
      [-14, -172],
      [-52, -142],
      [-94, -84],
      [-102, -16],
      [-110, 50],
    ],
    right: [
      [-16, -126],
      [-38, -112],
      [-77, -70],
      [-93, -14],
      [-108, 52],
    ],
    light: 1,
    sheen: 0.42,
  },
];

/** Of the other side. */
const RIGHT: readonly Lock[] = [
  {
    left: [
      [-18, -188],
      [40, -188],
      [94, -150],
      [122, -84],
      [130, 0],
      [148, 78],
      [138, 146],
      [157, 206],
      [136, 256],
    ],
    right: [
      [-20, -150],
      [26, -142],
      [66, -116],
      [92, -62],
      [99, 18],
      [114, 84],
      [100, 150],
      [118, 210],
      [128, 258],
    ],
    light: 0.5,
    sheen: 0.3,
  },
  {
    left: [
      [-18, -184],
      [50, -170],
      [106, -94],
      [112, -6],
      [128, 66],
      [112, 134],
      [130, 192],
      [104, 242],
    ],
    right: [
      [-22, -140],
      [34, -126],
      [84, -68],
      [93, 0],
      [104, 64],
      [84, 132],
      [98, 194],
      [98, 244],
    ],
    light: 0.7,
    sheen: 0.38,
  },
  {
    left: [
      [-18, -176],
      [34, -164],
      [88, -108],
      [102, -16],
      [110, 50],
    ],
    right: [
      [-22, -128],
      [14, -116],
      [72, -72],
      [93, -14],
      [108, 52],
    ],
    light: 0.85,
    sheen: 0.42,
  },
];

/** Waves: the outline swings out and in on its way down, and the tips curl in to a point. */
export function longWavesFront(ctx: Ctx, hair: HairLook): void {
  [...UNDER, ...UNDER.map(flipLock)].forEach((lock, i) => drawLock(ctx, hair, lock, 50 + i));
  LEFT.forEach((lock, i) => drawLock(ctx, hair, lock, 60 + i));
  RIGHT.forEach((lock, i) => drawLock(ctx, hair, lock, 70 + i));
  drawFlyaways(ctx, hair, [
    [
      [-30, -184],
      [6, -191],
      [52, -188],
      [92, -166],
    ],
    [
      [-132, 10],
      [-148, 70],
      [-146, 130],
      [-160, 190],
    ],
    [
      [132, 30],
      [149, 80],
      [146, 140],
      [160, 196],
    ],
    [
      [-104, 236],
      [-96, 252],
      [-84, 262],
      [-70, 262],
    ],
  ]);
}
