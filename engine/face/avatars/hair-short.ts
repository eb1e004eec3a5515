import { seededRandom } from '../animation/random.ts';
import type { HairLook } from './avatar-spec.ts';
import { drawFlyaways, drawLock } from './hair-lock.ts';
import type { Lock } from './hair-lock.ts';
import { alpha, curveThrough, glow, inside, mixColors, taperedStroke, vertical } from './paint.ts';
import type { Ctx, Point } from './paint.ts';

/** Hair above the ears: parted, cropped, curly, and swept back. */

/** Short sides that fade into the skin at the ears. */
function shortSides(ctx: Ctx, hair: HairLook, reach: number): void {
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
  const locks: readonly Lock[] = [
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
  locks.forEach((lock, i) => drawLock(ctx, hair, lock, 80 + i));
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

export function graySweepFront(ctx: Ctx, hair: HairLook): void {
  shortSides(ctx, hair, 16);
  const rows: Lock[] = [
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
  rows.forEach((lock, i) => drawLock(ctx, hair, lock, 100 + i));
}
