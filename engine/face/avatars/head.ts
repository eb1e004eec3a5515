import type { AvatarSpec } from './avatar-spec.ts';
import {
  alpha,
  curveThrough,
  glow,
  inside,
  mixColors,
  mirrored,
  softStroke,
  taperedStroke,
  vertical,
} from './paint.ts';
import type { Ctx } from './paint.ts';
import { drawNose } from './nose.ts';

/** The outline of the face, hairline to chin. */
export function facePath(ctx: Ctx, spec: AvatarSpec): void {
  const { cheek, jaw, chinWidth, chinY } = spec.face;
  ctx.moveTo(0, -134);
  for (const s of [1, -1]) {
    if (s === -1) ctx.moveTo(0, -134);
    ctx.bezierCurveTo(s * 62, -134, s * (cheek - 1), -98, s * (cheek - 1), -38);
    ctx.bezierCurveTo(s * (cheek + 2), 2, s * (cheek - 1), 40, s * (jaw + 7), 80);
    ctx.bezierCurveTo(s * (jaw + 1), 103, s * (chinWidth + 26), chinY - 20, s * chinWidth, chinY - 6);
    ctx.bezierCurveTo(s * (chinWidth * 0.6), chinY, s * (chinWidth * 0.3), chinY + 0.5, 0, chinY);
  }
}

export function drawNeck(ctx: Ctx, spec: AvatarSpec): void {
  const { skin, face } = spec;
  const w = face.neckWidth;
  const path = () => {
    ctx.moveTo(-w + 4, 70);
    ctx.bezierCurveTo(-w + 2, 130, -w + 1, 165, -w - 8, 186);
    ctx.bezierCurveTo(-w - 14, 204, -w - 26, 216, -w - 36, 246);
    ctx.lineTo(-60, 330);
    ctx.lineTo(60, 330);
    ctx.lineTo(w + 36, 246);
    ctx.bezierCurveTo(w + 26, 216, w + 14, 204, w + 8, 186);
    ctx.bezierCurveTo(w - 1, 165, w - 2, 130, w - 4, 70);
    ctx.closePath();
  };
  ctx.beginPath();
  path();
  const across = ctx.createLinearGradient(-w, 0, w, 0);
  across.addColorStop(0, mixColors(skin.base, skin.shade, 0.35));
  across.addColorStop(0.3, skin.base);
  across.addColorStop(1, skin.shade);
  ctx.fillStyle = across;
  ctx.fill();
  inside(ctx, path, () => {
    // The chin's shadow on the neck.
    glow(ctx, 6, face.chinY + 16, w * 1.9, 58, skin.deep, 0.72);
    glow(ctx, 10, face.chinY + 28, w * 1.3, 34, skin.deep, 0.4);
    glow(ctx, w * 0.9, 170, 30, 90, skin.deep, 0.3);
    drawCollarBones(ctx, skin);
    drawTendons(ctx, skin, w);
  });
}

/** And the hollow between them. */
function drawCollarBones(ctx: Ctx, skin: AvatarSpec['skin']): void {
  for (const s of [-1, 1])
    softStroke(
      ctx,
      [
        [s * 12, 232],
        [s * 40, 227],
        [s * 78, 226],
        [s * 110, 230],
      ],
      6,
      alpha(skin.shade, 0.55),
      2.2,
    );
  glow(ctx, 0, 226, 10, 14, skin.shade, 0.6);
  glow(ctx, -34, 246, 44, 16, skin.light, 0.3);
}

/** From the ears to the hollow. @param w half width of the neck. */
function drawTendons(ctx: Ctx, skin: AvatarSpec['skin'], w: number): void {
  softStroke(
    ctx,
    [
      [-w * 0.6, 150],
      [-w * 0.36, 185],
      [-9, 226],
    ],
    8,
    alpha(skin.shade, 0.4),
    3.5,
  );
  softStroke(
    ctx,
    [
      [w * 0.64, 150],
      [w * 0.4, 185],
      [11, 226],
    ],
    9,
    alpha(skin.deep, 0.3),
    3.5,
  );
}

export function drawEars(ctx: Ctx, spec: AvatarSpec): void {
  const { skin, face } = spec;
  mirrored(ctx, (side) => {
    const x = face.cheek - 3;
    const path = () => {
      ctx.moveTo(x, -22);
      ctx.bezierCurveTo(x + 10, -34, x + 21, -24, x + 19, -4);
      ctx.bezierCurveTo(x + 18, 14, x + 13, 20, x + 11, 32);
      ctx.bezierCurveTo(x + 9, 44, x + 1, 44, x - 3, 34);
      ctx.closePath();
    };
    ctx.beginPath();
    path();
    ctx.fillStyle = side < 0 ? skin.base : mixColors(skin.base, skin.shade, 0.55);
    ctx.fill();
    inside(ctx, path, () => {
      glow(ctx, x + 6, 4, 9, 24, skin.deep, 0.5);
      glow(ctx, x + 16, -14, 6, 12, skin.light, 0.4);
      glow(ctx, x + 6, 34, 7, 8, skin.blush, 0.4);
      taperedStroke(
        ctx,
        [
          [x + 5, -18],
          [x + 13, -16],
          [x + 13, 0],
          [x + 8, 16],
        ],
        2.4,
        alpha(skin.deep, 0.5),
      );
    });
    if (spec.earrings !== null) drawEarring(ctx, spec.earrings, x + 5, 45);
  });
}

function drawEarring(ctx: Ctx, color: string, x: number, y: number): void {
  glow(ctx, x + 1, y + 2, 8, 8, '#000000', 0.25);
  ctx.fillStyle = vertical(
    ctx,
    y - 5,
    y + 5,
    [0, mixColors(color, '#ffffff', 0.5)],
    [1, mixColors(color, '#000000', 0.25)],
  );
  ctx.beginPath();
  ctx.arc(x, y, 4.6, 0, Math.PI * 2);
  ctx.fill();
  ctx.fillStyle = 'rgba(255, 255, 255, 0.9)';
  ctx.beginPath();
  ctx.arc(x - 1.5, y - 1.6, 1.3, 0, Math.PI * 2);
  ctx.fill();
}

/** The skin of the face with its light and shade; eyes, brows and mouth come later. */
export function drawFace(ctx: Ctx, spec: AvatarSpec): void {
  const { skin, face } = spec;
  ctx.beginPath();
  facePath(ctx, spec);
  const across = ctx.createLinearGradient(-face.cheek, -60, face.cheek, 40);
  across.addColorStop(0, mixColors(skin.base, skin.light, 0.25));
  across.addColorStop(0.5, skin.base);
  across.addColorStop(1, mixColors(skin.base, skin.shade, 0.75));
  ctx.fillStyle = across;
  ctx.fill();
  inside(
    ctx,
    () => facePath(ctx, spec),
    () => {
      shadeSides(ctx, spec);
      shadeForms(ctx, spec);
      drawNose(ctx, spec);
    },
  );
}

function shadeSides(ctx: Ctx, { skin, face }: AvatarSpec): void {
  glow(ctx, face.cheek + 6, 50, 62, 120, skin.shade, 0.75, 0.12);
  glow(ctx, face.cheek + 10, 70, 38, 100, skin.deep, 0.28, 0.15);
  glow(ctx, -face.cheek - 12, 75, 46, 95, skin.shade, 0.6, -0.12);
  glow(ctx, 0, face.chinY + 14, face.jaw * 1.15, 34, skin.shade, 0.7);
  glow(ctx, 0, -136, 120, 46, skin.shade, 0.55);
  // Light that bounces from the shirt along the jaw of the dark side.
  softStroke(
    ctx,
    [
      [face.cheek - 5, 45],
      [face.jaw + 1, 86],
      [face.jaw - 18, 118],
      [face.chinWidth + 4, face.chinY - 10],
    ],
    7,
    alpha(skin.light, 0.3),
    2.5,
  );
}

function shadeForms(ctx: Ctx, { skin, face }: AvatarSpec): void {
  // Forehead, cheekbones, chin catch the lamp.
  glow(ctx, -24, -84, 72, 40, skin.light, 0.42);
  glow(ctx, -56, 30, 34, 22, skin.light, 0.5, -0.35);
  glow(ctx, 50, 30, 26, 18, skin.light, 0.26, 0.35);
  glow(ctx, -6, face.chinY - 20, 24, 13, skin.light, 0.34);
  // Eye sockets.
  for (const side of [-1, 1]) {
    glow(ctx, side * 43, -12, 36, 22, skin.shade, side > 0 ? 0.5 : 0.36);
    glow(ctx, side * 21, -8, 13, 22, skin.deep, 0.3);
    glow(ctx, side * 46, 17, 30, 12, skin.shade, 0.16 + 0.22 * face.age);
    // Color in the cheeks.
    glow(ctx, side * 58, 48, 38, 28, skin.blush, 0.36, side * -0.25);
    // Temples and the hollow below the cheekbone.
    glow(ctx, side * (face.cheek - 4), -48, 24, 50, skin.shade, 0.42);
    glow(ctx, side * 66, 82, 24, 38, skin.shade, 0.26 + 0.2 * face.age, side * 0.5);
    if (face.age > 0.45)
      for (const [dy, length] of [
        [-4, 13],
        [2, 15],
        [8, 13],
      ] as const)
        softStroke(
          ctx,
          [
            [side * 74, dy],
            [side * (74 + length * 0.5), dy + 0.5],
            [side * (74 + length), dy + 3],
          ],
          1.8,
          alpha(skin.deep, 0.4 * face.age),
          0.6,
        );
  }
  if (face.age > 0.5)
    for (const y of [-86, -76])
      softStroke(
        ctx,
        [
          [-44, y + 2],
          [-15, y - 1],
          [15, y - 1],
          [44, y + 2],
        ],
        2.4,
        alpha(skin.shade, 0.6 * face.age),
        1,
      );
  glow(ctx, 0, -50, 18, 22, skin.light, 0.16);
}

/** A shadow of stubble or a short beard around mouth and jaw. Drawn below the mouth. */
export function drawBeard(ctx: Ctx, spec: AvatarSpec): void {
  const { beard, face } = spec;
  if (beard === null) return;
  const { cheek, jaw, chinY } = face;
  const path = () => {
    ctx.moveTo(-cheek - 4, 8);
    curveThrough(
      ctx,
      [
        [-cheek + 2, 12],
        [-cheek + 9, 52],
        [-62, 78],
        [-46, 82],
        [-30, 78],
        [-12, 75],
        [0, 78],
        [12, 75],
        [30, 78],
        [46, 82],
        [62, 78],
        [cheek - 9, 52],
        [cheek - 2, 12],
      ],
      true,
    );
    ctx.lineTo(cheek + 6, 40);
    ctx.lineTo(jaw + 20, 110);
    ctx.lineTo(30, chinY + 10);
    ctx.lineTo(-30, chinY + 10);
    ctx.lineTo(-jaw - 20, 110);
    ctx.closePath();
  };
  inside(
    ctx,
    () => facePath(ctx, spec),
    () => {
      ctx.save();
      ctx.filter = 'blur(5px)';
      ctx.fillStyle = alpha(beard.color, 0.25 + 0.6 * beard.density);
      ctx.beginPath();
      path();
      ctx.fill();
      ctx.restore();
      inside(ctx, path, () => drawBeardHairs(ctx, spec));
    },
  );
}

function drawBeardHairs(ctx: Ctx, spec: AvatarSpec): void {
  const { color, density } = spec.beard!;
  ctx.lineWidth = 0.8;
  // A fixed lattice with a little disorder: the same hairs in every drawing.
  for (let i = 0; i < 700 + 1100 * density; i++) {
    const x = (((i * 73) % 211) / 211 - 0.5) * spec.face.cheek * 2.05;
    const y = 20 + (((i * 131) % 197) / 197) * (spec.face.chinY - 16);
    const lean = x * 0.02;
    ctx.strokeStyle = alpha(
      i % 4 === 0 ? mixColors(color, '#ffffff', 0.22) : mixColors(color, '#000000', 0.2),
      0.12 + 0.36 * density,
    );
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(x + lean + ((i % 3) - 1) * 0.8, y + 5);
    ctx.stroke();
  }
}
