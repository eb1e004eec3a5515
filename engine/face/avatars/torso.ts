import type { AvatarSpec } from './avatar-spec.ts';
import {
  alpha,
  curveThrough,
  glow,
  inside,
  mirrored,
  mixColors,
  softStroke,
  taperedStroke,
  vertical,
} from './paint.ts';
import type { Ctx } from './paint.ts';

/** Neck and torso are drawn lower than they are: people raise their shoulders a little in front of a camera. */
export const TORSO_LIFT = 30;
/** Height of the shoulders and half the distance between them. */
export const SHOULDERS_Y = 232 - TORSO_LIFT;
export const SHOULDER_HALF_WIDTH = 232;
/** Bottom of the drawing: beyond the lower edge of every frame. */
const FLOOR = 760;

function bodyPath(ctx: Ctx, spec: AvatarSpec): void {
  const w = spec.face.neckWidth;
  const broad = SHOULDER_HALF_WIDTH * (spec.face.neckWidth > 54 ? 1.06 : 0.95);
  ctx.moveTo(0, 205);
  for (const s of [1, -1]) {
    if (s === -1) ctx.moveTo(0, 205);
    ctx.lineTo(s * (w + 4), 196);
    ctx.bezierCurveTo(s * (w + 36), 214, s * (broad - 80), 218, s * (broad - 38), 240);
    ctx.bezierCurveTo(s * (broad + 6), 260, s * (broad + 20), 320, s * (broad + 30), 420);
    ctx.lineTo(s * (broad + 46), FLOOR);
    ctx.lineTo(0, FLOOR);
  }
}

/** Clothes. They are drawn over the neck. The collar's own shape cuts out the part that shows the neck. */
export function drawTorso(ctx: Ctx, spec: AvatarSpec): void {
  const { outfit } = spec;
  const { kind } = outfit;
  const collar = kind === 'blazer' || kind === 'shirt' ? 'v' : kind === 'crew' ? 'round' : 'high';
  ctx.save();
  if (collar === 'v' || collar === 'round') cutNeckline(ctx, spec, collar);
  ctx.beginPath();
  bodyPath(ctx, spec);
  ctx.fillStyle = vertical(ctx, 200, 560, [0, outfit.light], [0.25, outfit.base], [1, outfit.shade]);
  ctx.fill();
  inside(
    ctx,
    () => bodyPath(ctx, spec),
    () => drawCloth(ctx, spec),
  );
  ctx.restore();
  if (kind === 'blazer') drawBlazer(ctx, spec);
  if (kind === 'shirt') drawShirtCollar(ctx, spec, outfit.base, outfit.light, outfit.shade);
  if (kind === 'crew') drawCrewCollar(ctx, spec);
  if (kind === 'turtleneck') drawTurtleneck(ctx, spec);
  if (kind === 'hoodie') drawHood(ctx, spec);
}

function cutNeckline(ctx: Ctx, spec: AvatarSpec, collar: 'v' | 'round'): void {
  const w = spec.face.neckWidth;
  ctx.beginPath();
  ctx.rect(-900, -900, 1800, 2600);
  if (collar === 'v') {
    ctx.moveTo(-w - 10, 190);
    ctx.lineTo(0, spec.outfit.kind === 'shirt' ? 292 : 330);
    ctx.lineTo(w + 10, 190);
  } else {
    ctx.moveTo(-w - 16, 190);
    curveThrough(
      ctx,
      [
        [-w - 14, 200],
        [-w * 0.8, 232],
        [0, 250],
        [w * 0.8, 232],
        [w + 14, 200],
      ],
      true,
    );
    ctx.lineTo(w + 16, 190);
  }
  ctx.closePath();
  ctx.clip('evenodd');
}

function drawCloth(ctx: Ctx, { outfit, face }: AvatarSpec): void {
  glow(ctx, -150, 270, 120, 60, outfit.light, 0.55, 0.35);
  glow(ctx, 210, 380, 130, 190, outfit.shade, 0.75);
  glow(ctx, -250, 440, 80, 190, outfit.shade, 0.6);
  glow(ctx, 0, 215, face.neckWidth * 1.7, 46, outfit.shade, 0.6);
  // Folds that hang from the shoulders.
  for (const s of [-1, 1]) {
    softStroke(
      ctx,
      [
        [s * 196, 270],
        [s * 176, 330],
        [s * 168, 420],
        [s * 172, 520],
      ],
      16,
      alpha(outfit.shade, 0.55),
      3.5,
    );
    softStroke(
      ctx,
      [
        [s * 150, 250],
        [s * 128, 320],
        [s * 120, 400],
      ],
      9,
      alpha(outfit.shade, 0.24),
      3.5,
    );
    softStroke(
      ctx,
      [
        [s * 184, 285],
        [s * 164, 350],
        [s * 158, 440],
      ],
      6,
      alpha(outfit.light, 0.25),
      3.5,
    );
  }
}

function drawBlazer(ctx: Ctx, spec: AvatarSpec): void {
  drawTopBelow(ctx, spec);
  for (const s of [-1, 1] as const) drawLapel(ctx, spec, s);
}

/** A plain top with a soft neckline. */
function drawTopBelow(ctx: Ctx, { outfit, face }: AvatarSpec): void {
  const w = face.neckWidth;
  const top = () => {
    ctx.moveTo(-w - 6, 232);
    curveThrough(
      ctx,
      [
        [-w + 2, 238],
        [-26, 268],
        [0, 274],
        [26, 268],
        [w - 2, 238],
      ],
      true,
    );
    ctx.lineTo(w + 6, 232);
    ctx.lineTo(70, 520);
    ctx.lineTo(-70, 520);
    ctx.closePath();
  };
  inside(
    ctx,
    () => {
      ctx.moveTo(-w - 10, 190);
      ctx.lineTo(0, 480);
      ctx.lineTo(w + 10, 190);
      ctx.closePath();
    },
    () => {
      ctx.beginPath();
      top();
      ctx.fillStyle = vertical(ctx, 230, 420, [0, outfit.inner], [1, mixColors(outfit.inner, '#000000', 0.22)]);
      ctx.fill();
      inside(ctx, top, () => {
        glow(ctx, 46, 290, 40, 70, '#000000', 0.3);
        glow(ctx, -46, 290, 28, 60, '#000000', 0.16);
      });
    },
  );
}

/** @param s -1 for the left side of the image, 1 for the right. */
function drawLapel(ctx: Ctx, { outfit, face }: AvatarSpec, s: -1 | 1): void {
  const w = face.neckWidth;
  const lapel = () => {
    ctx.moveTo(s * (w + 2), 194);
    ctx.bezierCurveTo(s * (w + 14), 214, s * (w + 26), 226, s * (w + 40), 232);
    ctx.lineTo(s * (w + 58), 292);
    ctx.lineTo(s * (w + 32), 298);
    ctx.lineTo(s * (w + 40), 316);
    ctx.bezierCurveTo(s * 60, 380, s * 26, 430, s * -6, 470);
    ctx.bezierCurveTo(s * 14, 390, s * (w - 16), 300, s * (w - 6), 224);
    ctx.closePath();
  };
  ctx.save();
  ctx.shadowColor = 'rgba(0, 0, 0, 0.4)';
  ctx.shadowBlur = 9;
  ctx.shadowOffsetX = s * 2;
  ctx.shadowOffsetY = 3;
  ctx.beginPath();
  lapel();
  ctx.fillStyle = vertical(
    ctx,
    196,
    470,
    [0, mixColors(outfit.base, outfit.light, s < 0 ? 0.75 : 0.4)],
    [1, mixColors(outfit.base, outfit.shade, 0.25)],
  );
  ctx.fill();
  ctx.restore();
  inside(ctx, lapel, () => {
    glow(ctx, s * (w + 20), 225, 34, 40, outfit.light, s < 0 ? 0.45 : 0.2);
    glow(ctx, s * (w + 4), 205, 20, 26, outfit.shade, 0.5);
  });
  ctx.strokeStyle = alpha(outfit.shade, 0.65);
  ctx.lineWidth = 1.3;
  ctx.beginPath();
  ctx.moveTo(s * (w + 32), 298);
  ctx.lineTo(s * (w + 12), 292);
  ctx.stroke();
}

function drawShirtCollar(ctx: Ctx, spec: AvatarSpec, base: string, light: string, shade: string): void {
  const w = spec.face.neckWidth;
  ctx.strokeStyle = alpha(shade, 0.7);
  ctx.lineWidth = 1.6;
  ctx.beginPath();
  ctx.moveTo(0, 290);
  ctx.lineTo(2, FLOOR);
  ctx.stroke();
  for (const y of [330, 400, 470, 540]) {
    glow(ctx, 2, y + 1, 6, 6, shade, 0.5);
    ctx.fillStyle = mixColors(light, '#ffffff', 0.35);
    ctx.beginPath();
    ctx.arc(1, y, 3.6, 0, Math.PI * 2);
    ctx.fill();
  }
  for (const s of [-1, 1]) {
    ctx.save();
    ctx.shadowColor = 'rgba(0, 0, 0, 0.35)';
    ctx.shadowBlur = 8;
    ctx.shadowOffsetY = 4;
    ctx.beginPath();
    ctx.moveTo(s * (w + 3), 180);
    ctx.bezierCurveTo(s * (w + 14), 200, s * (w + 20), 214, s * (w + 22), 226);
    ctx.lineTo(s * (w - 6), 286);
    ctx.bezierCurveTo(s * 32, 284, s * 14, 288, s * 2, 292);
    ctx.bezierCurveTo(s * 22, 262, s * (w - 14), 224, s * (w + 3), 180);
    ctx.closePath();
    ctx.fillStyle = vertical(
      ctx,
      190,
      292,
      [0, mixColors(base, light, s < 0 ? 0.8 : 0.35)],
      [1, mixColors(base, shade, s < 0 ? 0.1 : 0.3)],
    );
    ctx.fill();
    ctx.restore();
  }
}

function drawCrewCollar(ctx: Ctx, spec: AvatarSpec): void {
  const { outfit, face } = spec;
  const w = face.neckWidth;
  for (const [width, color] of [
    [11, outfit.shade],
    [8.5, mixColors(outfit.base, outfit.light, 0.25)],
  ] as const) {
    ctx.strokeStyle = color;
    ctx.lineWidth = width;
    ctx.lineCap = 'round';
    ctx.beginPath();
    curveThrough(ctx, [
      [-w - 13, 202],
      [-w * 0.8, 233],
      [0, 252],
      [w * 0.8, 233],
      [w + 13, 202],
    ]);
    ctx.stroke();
  }
  ctx.strokeStyle = alpha(outfit.shade, 0.45);
  ctx.lineWidth = 1;
  ctx.beginPath();
  curveThrough(ctx, [
    [-w - 15, 210],
    [-w * 0.82, 240],
    [0, 260],
    [w * 0.82, 240],
    [w + 15, 210],
  ]);
  ctx.stroke();
}

function drawTurtleneck(ctx: Ctx, spec: AvatarSpec): void {
  const { outfit, face } = spec;
  const w = face.neckWidth + 5;
  const path = () => {
    ctx.moveTo(-w, 162);
    ctx.bezierCurveTo(-w * 0.5, 182, w * 0.5, 182, w, 162);
    ctx.bezierCurveTo(w + 5, 190, w + 8, 206, w + 20, 220);
    ctx.bezierCurveTo(w * 0.5, 252, -w * 0.5, 252, -w - 20, 220);
    ctx.bezierCurveTo(-w - 8, 206, -w - 5, 190, -w, 162);
    ctx.closePath();
  };
  ctx.beginPath();
  path();
  const across = ctx.createLinearGradient(-w, 0, w, 0);
  across.addColorStop(0, mixColors(outfit.base, outfit.shade, 0.4));
  across.addColorStop(0.32, outfit.light);
  across.addColorStop(1, outfit.shade);
  ctx.fillStyle = across;
  ctx.fill();
  inside(ctx, path, () => {
    for (let i = -9; i <= 9; i++)
      taperedStroke(
        ctx,
        [
          [i * (w / 9.5), 166],
          [i * (w / 9.2), 200],
          [i * (w / 7.6), 240],
        ],
        2.2,
        alpha(outfit.shade, 0.35),
      );
    glow(ctx, 4, 164, w * 1.1, 18, '#000000', 0.35);
    glow(ctx, 0, 244, w * 1.2, 12, outfit.shade, 0.6);
  });
}

function drawHood(ctx: Ctx, spec: AvatarSpec): void {
  const { outfit, face } = spec;
  const w = face.neckWidth;
  mirrored(ctx, (side) => {
    const path = () => {
      ctx.moveTo(w - 8, 168);
      ctx.bezierCurveTo(w + 34, 176, w + 74, 204, w + 78, 236);
      ctx.bezierCurveTo(w + 60, 262, 46, 276, 0, 296);
      ctx.bezierCurveTo(10, 262, w - 18, 226, w - 8, 168);
      ctx.closePath();
    };
    ctx.save();
    ctx.shadowColor = 'rgba(0, 0, 0, 0.35)';
    ctx.shadowBlur = 10;
    ctx.shadowOffsetY = 4;
    ctx.beginPath();
    path();
    ctx.fillStyle = vertical(
      ctx,
      170,
      296,
      [0, mixColors(outfit.base, outfit.light, side < 0 ? 0.8 : 0.35)],
      [1, mixColors(outfit.base, outfit.shade, 0.4)],
    );
    ctx.fill();
    ctx.restore();
    inside(ctx, path, () => {
      glow(ctx, w - 4, 196, 22, 50, outfit.shade, 0.8);
      glow(ctx, w + 44, 226, 30, 22, outfit.light, 0.3);
    });
    taperedStroke(
      ctx,
      [
        [16, 286],
        [17, 320],
        [15, 356],
        [17, 386],
      ],
      4.4,
      outfit.inner,
    );
  });
}
