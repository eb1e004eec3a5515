import type { HairLook } from './avatar-spec.ts';
import { drawFlyaways, drawLock, flipLock } from './hair-lock.ts';
import type { Lock } from './hair-lock.ts';
import { curveThrough, glow, mixColors, vertical } from './paint.ts';
import type { Ctx, Point } from './paint.ts';

/** Hair below the ears: long waves, a bob, and a bun. Each has a part behind the head and one in front of it. */

function backMass(ctx: Ctx, hair: HairLook, outline: readonly Point[], floor: number): void {
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

/** Waves: the outline swings out and in on its way down, and the tips curl in to a point. */
export function longWavesFront(ctx: Ctx, hair: HairLook): void {
  const under: readonly Lock[] = [
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
  const left: readonly Lock[] = [
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
  const right: readonly Lock[] = [
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
  [...under, ...under.map(flipLock)].forEach((lock, i) => drawLock(ctx, hair, lock, 50 + i));
  left.forEach((lock, i) => drawLock(ctx, hair, lock, 60 + i));
  right.forEach((lock, i) => drawLock(ctx, hair, lock, 70 + i));
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

export function bobFront(ctx: Ctx, hair: HairLook): void {
  const side: Lock = {
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
  const other: Lock = {
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
  drawLock(ctx, hair, side, 11);
  drawLock(ctx, hair, other, 12);
  // A fringe in four locks, just above the brows.
  const fringe: readonly (readonly [number, number, number])[] = [
    [-86, -22, 0.85],
    [-46, -14, 1],
    [0, -14, 0.95],
    [44, -22, 0.75],
  ];
  for (const [i, [x, lean, light]] of fringe.entries()) {
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
