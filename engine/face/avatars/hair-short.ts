import { seededRandom } from '../animation/random.ts';
import type { HairLook } from './avatar-spec.ts';
import { drawFlyaways, drawLock } from './hair-lock.ts';
import type { Lock } from './hair-lock.ts';
import { alpha, curveThrough, glow, inside, mixColours, taperedStroke, vertical } from './paint.ts';
import type { Ctx, Point } from './paint.ts';

/** Hair above the ears: parted, cropped, curly, and swept back. */

/** Short sides that fade into the skin at the ears. */
function shortSides(ctx: Ctx, hair: HairLook, reach: number): void {
  for (const s of [-1, 1]) {
    const path = () => {
      curveThrough(ctx, [[s * 60, -150], [s * 98, -112], [s * 103, -50], [s * 100, reach], [s * 93, reach + 4], [s * 90, -30], [s * 82, -74], [s * 60, -110]]);
      ctx.closePath();
    };
    ctx.save();
    ctx.filter = 'blur(1.6px)';
    ctx.fillStyle = vertical(ctx, -150, reach + 4, [0, hair.base], [0.6, alpha(hair.shade, 0.95)], [1, alpha(hair.shade, 0.25)]);
    ctx.beginPath();
    path();
    ctx.fill();
    ctx.restore();
    inside(ctx, path, () => {
      const random = seededRandom(s + 5);
      for (let i = 0; i < 90; i++) {
        const x = s * (82 + random() * 22);
        const y = -130 + random() * (reach + 118);
        taperedStroke(ctx, [[x, y], [x + s * 1.2, y + 7], [x + s * 1.5, y + 13]], 1.3, alpha(random() < 0.5 ? hair.light : hair.shade, 0.3));
      }
    });
  }
}

export function shortPartedFront(ctx: Ctx, hair: HairLook): void {
  shortSides(ctx, hair, 6);
  const locks: Lock[] = [
    { left: [[-44, -126], [-74, -132], [-98, -108], [-104, -62]], right: [[-40, -158], [-82, -164], [-112, -122], [-106, -52]], light: 0.7, sheen: 0.4 },
    { left: [[-52, -118], [-30, -168], [50, -190], [114, -116], [104, -48]], right: [[-44, -112], [-14, -130], [46, -132], [84, -98], [93, -46]], light: 0.65, sheen: 0.36 },
    { left: [[-50, -120], [-34, -172], [36, -196], [104, -142]], right: [[-46, -112], [-12, -138], [40, -140], [88, -112]], light: 0.85, sheen: 0.45 },
    { left: [[-56, -118], [-50, -166], [0, -192], [66, -172]], right: [[-46, -112], [-26, -140], [16, -152], [66, -140]], light: 1, sheen: 0.5 },
  ];
  locks.forEach((lock, i) => drawLock(ctx, hair, lock, 80 + i));
  drawFlyaways(ctx, hair, [[[-40, -176], [0, -200], [40, -196], [76, -178]], [[-96, -140], [-112, -120], [-112, -90], [-108, -70]]]);
}

export function cropFront(ctx: Ctx, hair: HairLook): void {
  const path = () => {
    curveThrough(ctx, [[-101, 2], [-107, -60], [-96, -122], [-56, -160], [0, -170], [56, -160], [96, -122], [107, -60], [101, 2], [94, 0], [91, -52], [82, -92], [66, -106], [34, -113], [0, -115], [-34, -113], [-66, -106], [-82, -92], [-91, -52], [-94, 0]]);
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
      ctx.strokeStyle = alpha(random() < 0.4 ? hair.light : mixColours(hair.shade, '#000000', 0.4), 0.34);
      ctx.lineWidth = 1;
      ctx.beginPath();
      ctx.arc(x, y, 1.2 + random() * 1.6, random() * 6, random() * 6 + 3.4);
      ctx.stroke();
    }
  });
}

/** Ringlets placed along an outline: a cloud of small curls around the head. */
export function curlsBack(ctx: Ctx, hair: HairLook): void {
  curlCloud(ctx, hair, 91, 250, (random) => {
    const angle = Math.PI * (0.86 + random() * 1.28);
    const reach = 0.72 + random() * 0.32;
    return [Math.cos(angle) * 146 * reach, -42 + Math.sin(angle) * 148 * reach];
  }, 20);
  curlCloud(ctx, hair, 92, 120, (random) => [(random() < 0.5 ? -1 : 1) * (98 + random() * 46), -40 + random() * 150], 18);
}

export function curlsFront(ctx: Ctx, hair: HairLook): void {
  curlCloud(ctx, hair, 93, 165, (random) => {
    const angle = Math.PI * (1.04 + random() * 0.92);
    const reach = 0.84 + random() * 0.28;
    return [Math.cos(angle) * 106 * reach, -46 + Math.sin(angle) * 118 * reach];
  }, 16);
  curlCloud(ctx, hair, 94, 46, (random) => [(random() < 0.5 ? -1 : 1) * (100 + random() * 16), -66 + random() * 130], 14);
}

function curlCloud(ctx: Ctx, hair: HairLook, seed: number, count: number, place: (random: () => number) => Point, size: number): void {
  const random = seededRandom(seed);
  const curls = Array.from({ length: count }, () => ({ at: place(random), r: size * (0.62 + random() * 0.5), turn: random() * 6.3 }));
  // Those further up are behind.
  curls.sort((a, b) => a.at[1] - b.at[1]);
  for (const { at: [x, y], r, turn } of curls) {
    const lit = Math.max(0, Math.min(1, 0.62 - (x + 70) / 330 - (y + 110) / 460));
    const body = ctx.createRadialGradient(x - r * 0.35, y - r * 0.4, r * 0.1, x, y, r);
    body.addColorStop(0, mixColours(hair.base, hair.light, 0.25 + 0.5 * lit));
    body.addColorStop(0.55, mixColours(hair.base, hair.shade, 0.25));
    body.addColorStop(1, hair.shade);
    ctx.fillStyle = body;
    ctx.beginPath();
    ctx.arc(x, y, r, 0, Math.PI * 2);
    ctx.fill();
    for (const [share, opacity] of [[0.78, 0.5], [0.5, 0.6], [0.26, 0.5]] as const) {
      ctx.strokeStyle = alpha(share === 0.5 ? hair.light : mixColours(hair.base, hair.light, 0.5), opacity * (0.35 + 0.65 * lit));
      ctx.lineWidth = 1.5;
      ctx.lineCap = 'round';
      ctx.beginPath();
      ctx.arc(x, y, r * share, turn, turn + 3.6);
      ctx.stroke();
    }
  }
}

export function greySweepFront(ctx: Ctx, hair: HairLook): void {
  shortSides(ctx, hair, 16);
  const rows: Lock[] = [
    { left: [[-84, -96], [-104, -130], [-70, -168], [-10, -176]], right: [[-70, -100], [-72, -128], [-44, -150], [0, -160]], light: 0.75, sheen: 0.5 },
    { left: [[84, -92], [106, -130], [72, -170], [6, -178]], right: [[72, -98], [74, -128], [46, -150], [0, -160]], light: 0.5, sheen: 0.5 },
    { left: [[-72, -104], [-76, -146], [-30, -184], [40, -184]], right: [[-46, -114], [-42, -140], [-10, -162], [44, -166]], light: 1, sheen: 0.5 },
    { left: [[-48, -114], [-44, -158], [12, -188], [70, -166]], right: [[-14, -120], [-4, -148], [26, -162], [68, -152]], light: 0.95, sheen: 0.5 },
    { left: [[-16, -120], [0, -164], [46, -184], [92, -138]], right: [[70, -102], [72, -124], [76, -140], [92, -128]], light: 0.8, sheen: 0.5 },
  ];
  rows.forEach((lock, i) => drawLock(ctx, hair, lock, 100 + i));
}
