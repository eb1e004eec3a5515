import type { AvatarSpec, BackgroundLook } from './avatar-spec.ts';
import { alpha, glow, mixColors } from './paint.ts';
import type { Ctx } from './paint.ts';

/** The room behind the person, out of focus. Drawn in a space of 1000 × 1000 over the whole frame. */
export function drawBackground(ctx: Ctx, spec: AvatarSpec, width: number, height: number): void {
  const { background } = spec;
  const scale = Math.max(width, height) / 1000;
  ctx.save();
  ctx.scale(scale, scale);
  ctx.translate((width / scale - 1000) / 2, (height / scale - 1000) * 0.35);
  const wall = ctx.createLinearGradient(0, 0, 900, 1000);
  wall.addColorStop(0, background.light);
  wall.addColorStop(0.55, background.base);
  wall.addColorStop(1, mixColors(background.base, '#000000', 0.35));
  ctx.fillStyle = wall;
  ctx.fillRect(-100, -100, 1200, 1200);
  ctx.filter = `blur(${Math.max(3, 20 * scale)}px)`;
  SCENES[background.kind](ctx, background);
  ctx.filter = 'none';
  glow(ctx, 500, 430, 420, 380, mixColors(background.light, '#ffffff', 0.3), 0.22);
  ctx.restore();
  // Darker corners lead the eye to the face.
  const vignette = ctx.createRadialGradient(
    width / 2,
    height * 0.42,
    Math.min(width, height) * 0.4,
    width / 2,
    height / 2,
    Math.max(width, height) * 0.75,
  );
  vignette.addColorStop(0, 'rgba(0, 0, 0, 0)');
  vignette.addColorStop(1, 'rgba(0, 0, 0, 0.42)');
  ctx.fillStyle = vignette;
  ctx.fillRect(0, 0, width, height);
}

type Scene = (ctx: Ctx, look: BackgroundLook) => void;

function box(ctx: Ctx, x: number, y: number, w: number, h: number, color: string, opacity: number): void {
  ctx.fillStyle = alpha(color, opacity);
  ctx.fillRect(x, y, w, h);
}

function bokeh(ctx: Ctx, points: readonly (readonly [number, number, number])[], color: string, opacity: number): void {
  for (const [x, y, r] of points) {
    ctx.fillStyle = alpha(color, opacity);
    ctx.beginPath();
    ctx.arc(x, y, r, 0, Math.PI * 2);
    ctx.fill();
  }
}

function leaf(ctx: Ctx, x: number, y: number, length: number, angle: number, color: string): void {
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(angle);
  ctx.fillStyle = color;
  ctx.beginPath();
  ctx.moveTo(0, 0);
  ctx.bezierCurveTo(length * 0.3, -length * 0.28, length * 0.75, -length * 0.2, length, 0);
  ctx.bezierCurveTo(length * 0.75, length * 0.2, length * 0.3, length * 0.28, 0, 0);
  ctx.fill();
  ctx.restore();
}

function plant(ctx: Ctx, x: number, y: number, size: number, color: string): void {
  for (let i = 0; i < 11; i++)
    leaf(
      ctx,
      x,
      y,
      size * (0.7 + ((i * 37) % 10) / 22),
      -Math.PI * (0.08 + (i / 10) * 0.84),
      mixColors(color, i % 2 === 0 ? '#0c2414' : '#d8e6a8', 0.22),
    );
}

const SCENES: Readonly<Record<BackgroundLook['kind'], Scene>> = {
  office: (ctx, look) => {
    box(ctx, 640, 90, 330, 420, mixColors(look.light, '#ffffff', 0.55), 0.75);
    for (const x of [640, 745, 855, 960]) box(ctx, x, 90, 9, 420, look.base, 0.8);
    box(ctx, 40, 250, 250, 14, look.accent, 0.7);
    box(ctx, 40, 420, 250, 14, look.accent, 0.7);
    for (const [x, w, h, c] of [
      [60, 26, 92, '#c76b4f'],
      [92, 22, 80, '#e8d9b8'],
      [120, 30, 98, '#3f5b78'],
      [158, 20, 76, '#8fa89a'],
      [210, 34, 88, '#d2a24e'],
    ] as const)
      box(ctx, x, 250 - h, w, h, c, 0.8);
    for (const [x, w, h, c] of [
      [70, 60, 60, '#e4e1da'],
      [150, 26, 92, '#6f87a8'],
      [182, 24, 84, '#b6564a'],
      [212, 28, 96, '#ece2cc'],
    ] as const)
      box(ctx, x, 420 - h, w, h, c, 0.75);
    plant(ctx, 905, 640, 170, '#4f8a5b');
  },
  window: (ctx, look) => {
    box(ctx, 60, 40, 420, 560, mixColors(look.light, '#ffffff', 0.75), 0.9);
    box(ctx, 60, 360, 420, 240, look.accent, 0.35);
    bokeh(
      ctx,
      [
        [130, 330, 60],
        [220, 300, 80],
        [330, 330, 74],
        [420, 300, 62],
        [270, 380, 90],
      ],
      look.accent,
      0.55,
    );
    for (const x of [60, 264, 468]) box(ctx, x, 40, 14, 560, '#ffffff', 0.75);
    box(ctx, 60, 300, 420, 12, '#ffffff', 0.7);
    box(ctx, 700, 0, 140, 1000, mixColors(look.base, '#000000', 0.12), 0.5);
    ctx.fillStyle = alpha('#f3d9a2', 0.85);
    ctx.beginPath();
    ctx.moveTo(800, 230);
    ctx.lineTo(910, 230);
    ctx.lineTo(945, 350);
    ctx.lineTo(765, 350);
    ctx.fill();
    box(ctx, 849, 350, 12, 400, '#6b5a44', 0.8);
    glow(ctx, 855, 330, 230, 230, '#ffe2a8', 0.5);
  },
  shelves: (ctx, look) => {
    const spines = ['#8a3f36', '#d9c7a0', '#2f4a5f', '#6c7f5b', '#b98a4a', '#4b3a56', '#c9b9a6', '#7a2e3a'];
    for (const [row, y] of [170, 360, 550, 740].entries()) {
      box(ctx, -60, y, 1120, 20, mixColors(look.base, '#000000', 0.4), 0.9);
      for (let i = 0, x = -40 + row * 13; x < 1040; i++) {
        const w = 22 + ((i * 53 + row * 29) % 24);
        const h = 96 + ((i * 37 + row * 61) % 52);
        if ((i + row * 3) % 7 !== 0) box(ctx, x, y - h, w - 3, h, spines[(i * 5 + row * 3) % spines.length]!, 0.72);
        x += w;
      }
    }
    glow(ctx, 120, 180, 260, 240, look.accent, 0.5);
  },
  studio: (ctx, look) => {
    glow(ctx, 300, 340, 520, 480, look.light, 0.9);
    glow(ctx, 860, 640, 420, 420, look.accent, 0.55);
    glow(ctx, 80, 880, 360, 300, mixColors(look.base, '#000000', 0.5), 0.6);
    for (const [x, y, w] of [
      [-80, 200, 300],
      [760, 90, 340],
    ] as const) {
      ctx.save();
      ctx.translate(x, y);
      ctx.rotate(-0.5);
      box(ctx, 0, 0, w, 46, look.accent, 0.3);
      box(ctx, 30, 84, w, 22, look.light, 0.35);
      ctx.restore();
    }
  },
  garden: (ctx, look) => {
    box(ctx, -50, 0, 1100, 420, mixColors(look.light, '#ffffff', 0.5), 0.6);
    bokeh(
      ctx,
      [
        [60, 420, 150],
        [240, 330, 120],
        [120, 620, 170],
        [840, 360, 160],
        [960, 560, 190],
        [700, 250, 90],
      ],
      look.accent,
      0.65,
    );
    bokeh(
      ctx,
      [
        [180, 250, 44],
        [320, 150, 32],
        [760, 140, 52],
        [900, 210, 38],
        [60, 180, 50],
        [640, 90, 26],
      ],
      '#fff6cf',
      0.55,
    );
    bokeh(
      ctx,
      [
        [40, 760, 150],
        [930, 800, 180],
      ],
      mixColors(look.accent, '#0a1a10', 0.45),
      0.75,
    );
  },
  evening: (ctx, look) => {
    for (const [x, w, h] of [
      [-20, 130, 420],
      [130, 100, 560],
      [250, 90, 380],
      [640, 110, 520],
      [770, 90, 400],
      [880, 150, 600],
    ] as const)
      box(ctx, x, 760 - h, w, h, mixColors(look.base, '#05070f', 0.4), 0.8);
    bokeh(
      ctx,
      [
        [60, 420, 24],
        [170, 300, 30],
        [190, 480, 22],
        [290, 460, 28],
        [690, 330, 30],
        [700, 500, 22],
        [820, 430, 26],
        [930, 260, 32],
        [950, 450, 26],
        [40, 560, 28],
      ],
      '#ffc46b',
      0.8,
    );
    bokeh(
      ctx,
      [
        [120, 620, 40],
        [300, 600, 34],
        [660, 640, 42],
        [860, 600, 46],
        [960, 680, 36],
      ],
      look.accent,
      0.7,
    );
  },
};
