import type { SKRSContext2D } from '@napi-rs/canvas';

/** Small tools that every part of a portrait is painted with. */
export type Ctx = SKRSContext2D;

export type Gradient = ReturnType<Ctx['createLinearGradient']>;

export type Point = readonly [x: number, y: number];

function channels(hex: string): [number, number, number] {
  return [
    Number.parseInt(hex.slice(1, 3), 16),
    Number.parseInt(hex.slice(3, 5), 16),
    Number.parseInt(hex.slice(5, 7), 16),
  ];
}

/** '#rrggbb' with an opacity. */
export function alpha(hex: string, opacity: number): string {
  const [r, g, b] = channels(hex);
  return `rgba(${r}, ${g}, ${b}, ${Math.max(0, Math.min(1, opacity)).toFixed(4)})`;
}

/** A color between two. */
export function mixColors(a: string, b: string, amount: number): string {
  const from = channels(a);
  const to = channels(b);
  return `#${from
    .map((value, i) =>
      Math.round(value + (to[i]! - value) * amount)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

/** A soft ellipse of color, fading out to its rim. @param angle radians. */
export function glow(
  ctx: Ctx,
  x: number,
  y: number,
  rx: number,
  ry: number,
  color: string,
  opacity: number,
  angle = 0,
): void {
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(angle);
  ctx.scale(1, ry / rx);
  const gradient = ctx.createRadialGradient(0, 0, 0, 0, 0, rx);
  // Close to a bell curve: a linear ramp shows its center and its rim.
  for (const [stop, share] of [
    [0, 1],
    [0.2, 0.9],
    [0.4, 0.66],
    [0.6, 0.36],
    [0.8, 0.12],
    [1, 0],
  ] as const)
    gradient.addColorStop(stop, alpha(color, opacity * share));
  ctx.fillStyle = gradient;
  ctx.beginPath();
  ctx.arc(0, 0, rx, 0, Math.PI * 2);
  ctx.fill();
  ctx.restore();
}

/** A vertical blend of colors. */
export function vertical(ctx: Ctx, y0: number, y1: number, ...stops: readonly (readonly [number, string])[]): Gradient {
  const gradient = ctx.createLinearGradient(0, y0, 0, y1);
  for (const [at, color] of stops) gradient.addColorStop(at, color);
  return gradient;
}

/** The same closed curve on both sides of x = 0. */
export function mirrored(ctx: Ctx, draw: (side: 1 | -1) => void): void {
  for (const side of [1, -1] as const) {
    ctx.save();
    ctx.scale(side, 1);
    draw(side);
    ctx.restore();
  }
}

/** A smooth curve through points (Catmull-Rom). Begins at the first one with moveTo unless `joined`. */
export function curveThrough(ctx: Ctx, points: readonly Point[], joined = false): void {
  const first = points[0]!;
  if (joined) ctx.lineTo(first[0], first[1]);
  else ctx.moveTo(first[0], first[1]);
  for (let i = 0; i < points.length - 1; i++) {
    const before = points[Math.max(0, i - 1)]!;
    const from = points[i]!;
    const to = points[i + 1]!;
    const after = points[Math.min(points.length - 1, i + 2)]!;
    ctx.bezierCurveTo(
      from[0] + (to[0] - before[0]) / 6,
      from[1] + (to[1] - before[1]) / 6,
      to[0] - (after[0] - from[0]) / 6,
      to[1] - (after[1] - from[1]) / 6,
      to[0],
      to[1],
    );
  }
}

/** Runs `draw` with everything outside of the path cut off. */
export function inside(ctx: Ctx, path: () => void, draw: () => void): void {
  ctx.save();
  ctx.beginPath();
  path();
  ctx.clip();
  draw();
  ctx.restore();
}

/** A brush stroke that is thin at both ends. @param width at its thickest. */
export function taperedStroke(ctx: Ctx, points: readonly Point[], width: number, color: string): void {
  const left: Point[] = [];
  const right: Point[] = [];
  points.forEach((point, i) => {
    const before = points[Math.max(0, i - 1)]!;
    const after = points[Math.min(points.length - 1, i + 1)]!;
    const length = Math.hypot(after[0] - before[0], after[1] - before[1]) || 1;
    const half = (width / 2) * Math.sin((Math.PI * i) / (points.length - 1));
    const nx = (-(after[1] - before[1]) / length) * half;
    const ny = ((after[0] - before[0]) / length) * half;
    left.push([point[0] + nx, point[1] + ny]);
    right.unshift([point[0] - nx, point[1] - ny]);
  });
  ctx.fillStyle = color;
  ctx.beginPath();
  curveThrough(ctx, left);
  curveThrough(ctx, right, true);
  ctx.closePath();
  ctx.fill();
}

/** A tapered stroke without edges, for folds and planes of skin. @param softness blur in the units of the drawing. */
export function softStroke(ctx: Ctx, points: readonly Point[], width: number, color: string, softness: number): void {
  ctx.save();
  // Filters work in pixels, whatever the scale of the drawing.
  ctx.filter = `blur(${(softness * Math.abs(ctx.getTransform().a)).toFixed(2)}px)`;
  taperedStroke(ctx, points, width, color);
  ctx.restore();
}

/** A point between two curves of equally many points. */
export function between(a: readonly Point[], b: readonly Point[], amount: number): Point[] {
  return a.map(([x, y], i) => [x + (b[i]![0] - x) * amount, y + (b[i]![1] - y) * amount] as const);
}
