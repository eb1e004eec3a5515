import type { HairLook } from './avatar-spec.ts';
import { drawFlyaways, drawLock, flipLock } from './hair-lock.ts';
import type { Lock } from './hair-lock.ts';
import { curveThrough, glow, mixColours, vertical } from './paint.ts';
import type { Ctx, Point } from './paint.ts';

/** Hair below the ears: long waves, a bob, and a bun. Each has a part behind the head and one in front of it. */

function backMass(ctx: Ctx, hair: HairLook, outline: readonly Point[], floor: number): void {
  ctx.fillStyle = vertical(ctx, -170, floor, [0, hair.base], [0.5, mixColours(hair.base, hair.shade, 0.7)], [1, hair.shade]);
  ctx.beginPath();
  curveThrough(ctx, outline);
  curveThrough(ctx, [...outline].reverse().map(([x, y]) => [-x, y] as const), true);
  ctx.closePath();
  ctx.fill();
}

export function longWavesBack(ctx: Ctx, hair: HairLook): void {
  backMass(ctx, hair, [[0, -182], [-70, -170], [-116, -112], [-124, -30], [-132, 60], [-138, 140], [-146, 220], [-134, 300], [-110, 330]], 320);
  for (const [i, x] of [-118, -92, 66, 92].entries()) {
    const lock: Lock = { left: [[x, -20], [x - 12, 80], [x - 8, 180], [x - 16, 318]], right: [[x + 34, -20], [x + 28, 80], [x + 34, 180], [x + 16, 322]], light: 0.35, sheen: 0.6 };
    drawLock(ctx, hair, lock, 40 + i);
  }
  glow(ctx, 0, 120, 96, 130, hair.shade, 0.85);
}

export function longWavesFront(ctx: Ctx, hair: HairLook): void {
  const sides: Lock[] = [
    { left: [[-26, -176], [-92, -152], [-122, -70], [-130, 20], [-136, 110], [-150, 200], [-138, 296]], right: [[-26, -146], [-74, -112], [-92, -46], [-99, 26], [-100, 100], [-104, 180], [-104, 304]], light: 0.85, sheen: 0.3 },
    { left: [[-22, -170], [-74, -142], [-100, -70], [-104, 0], [-108, 80], [-118, 160], [-96, 262]], right: [[-22, -140], [-58, -112], [-82, -58], [-91, 4], [-93, 76], [-86, 150], [-82, 268]], light: 1, sheen: 0.42 },
  ];
  const right: Lock[] = [
    { left: [[-26, -178], [60, -182], [118, -110], [128, -10], [134, 100], [150, 196], [140, 300]], right: [[-28, -150], [40, -138], [88, -76], [98, 20], [99, 104], [102, 184], [102, 308]], light: 0.6, sheen: 0.34 },
    { left: [[-26, -174], [40, -168], [96, -96], [105, -6], [108, 80], [118, 162], [98, 266]], right: [[-30, -146], [22, -126], [76, -72], [91, 2], [93, 78], [86, 152], [82, 270]], light: 0.8, sheen: 0.4 },
    { left: [[-28, -170], [20, -156], [70, -112], [90, -40]], right: [[-32, -148], [6, -126], [58, -86], [86, -30]], light: 1, sheen: 0.5 },
  ];
  sides.forEach((lock, i) => drawLock(ctx, hair, lock, 60 + i));
  right.forEach((lock, i) => drawLock(ctx, hair, lock, 70 + i));
  drawFlyaways(ctx, hair, [[[-30, -182], [10, -190], [60, -184], [104, -150]], [[-128, 10], [-142, 80], [-146, 160], [-158, 240]], [[130, 40], [144, 110], [148, 190], [158, 250]]]);
}

export function bobBack(ctx: Ctx, hair: HairLook): void {
  backMass(ctx, hair, [[0, -184], [-66, -174], [-114, -120], [-126, -40], [-130, 40], [-126, 110], [-104, 150], [-60, 160]], 160);
  glow(ctx, 0, 100, 96, 80, hair.shade, 0.9);
}

export function bobFront(ctx: Ctx, hair: HairLook): void {
  const side: Lock = { left: [[10, -180], [-74, -168], [-120, -92], [-130, 0], [-132, 80], [-112, 146]], right: [[10, -150], [-60, -128], [-88, -60], [-96, 10], [-90, 80], [-78, 138]], light: 0.9, sheen: 0.34 };
  const other: Lock = { left: [[6, -180], [82, -168], [122, -92], [130, 0], [132, 80], [112, 146]], right: [[8, -150], [66, -126], [90, -60], [97, 10], [91, 80], [80, 138]], light: 0.65, sheen: 0.36 };
  drawLock(ctx, hair, side, 11);
  drawLock(ctx, hair, other, 12);
  // A fringe in four locks, just above the brows.
  const fringe: readonly (readonly [number, number, number])[] = [[-86, -22, 0.85], [-46, -14, 1], [0, -14, 0.95], [44, -22, 0.75]];
  for (const [i, [x, lean, light]] of fringe.entries()) {
    const w = 50;
    drawLock(ctx, hair, { left: [[x * 0.35, -178], [x * 0.8, -140], [x + lean * 0.3, -92], [x + lean * 0.45, -60]], right: [[x * 0.35 + 26, -178], [x * 0.8 + w * 0.85, -140], [x + w + lean * 0.1, -92], [x + w - 2, -58]], light, sheen: 0.55 }, 20 + i);
  }
}

export function bunBack(ctx: Ctx, hair: HairLook): void {
  const bun: Lock = { left: [[-12, -170], [-58, -196], [-52, -244], [0, -254]], right: [[12, -168], [58, -196], [52, -244], [0, -254]], light: 0.7, sheen: 0.5 };
  drawLock(ctx, hair, bun, 31);
  drawLock(ctx, hair, { left: [[-40, -186], [-50, -214], [-20, -244], [18, -246]], right: [[-8, -180], [-14, -206], [6, -222], [34, -226]], light: 1, sheen: 0.5 }, 32);
  backMass(ctx, hair, [[0, -176], [-64, -168], [-108, -116], [-112, -40], [-100, 40], [-70, 80]], 80);
}

export function bunFront(ctx: Ctx, hair: HairLook): void {
  // Combed up and back from the hairline.
  const half: Lock[] = [
    { left: [[-99, 6], [-109, -50], [-96, -118], [-46, -164], [0, -178]], right: [[-93, -8], [-90, -52], [-70, -96], [-32, -122], [0, -128]], light: 0.85, sheen: 0.5 },
  ];
  half.forEach((lock, i) => {
    drawLock(ctx, hair, lock, 51 + i);
    drawLock(ctx, hair, { ...flipLock(lock), light: lock.light - 0.25 }, 53 + i);
  });
  const strands: readonly (readonly Point[])[] = [[[-92, -20], [-98, 20], [-96, 60], [-102, 96]], [[93, -20], [99, 24], [96, 58], [101, 88]], [[-20, -180], [-8, -192], [10, -190], [22, -182]]];
  drawFlyaways(ctx, hair, strands);
}
