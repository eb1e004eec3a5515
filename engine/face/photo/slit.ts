import type { Landmarks, Point } from './landmarks.ts';

/**
 * Mouths and eyes are both slits: they open between two curves that meet in two corners. Each slit has its own frame:
 * the origin is midway between the corners, x goes along them to the image's right, y down.
 */
export interface SlitFrame {
  readonly x: number;
  readonly y: number;
  readonly cos: number;
  readonly sin: number;
  /** Half the distance between the corners, in pixels. */
  readonly half: number;
}

export function slitFrame(left: Point, right: Point): SlitFrame {
  const dx = right[0] - left[0];
  const dy = right[1] - left[1];
  const length = Math.hypot(dx, dy);
  return {
    x: (left[0] + right[0]) / 2,
    y: (left[1] + right[1]) / 2,
    cos: dx / length,
    sin: dy / length,
    half: length / 2,
  };
}

export function intoFrame(f: SlitFrame, [x, y]: Point): Point {
  const dx = x - f.x;
  const dy = y - f.y;
  return [dx * f.cos + dy * f.sin, dy * f.cos - dx * f.sin];
}

/** A line across a slit: heights at `CURVE_STEPS + 1` places from the left corner to the right one. */
export type Curve = Float32Array;
export const CURVE_STEPS = 128;

/** The smooth line through some landmarks, in the frame. */
export function curveThrough(f: SlitFrame, points: Landmarks, indices: readonly number[]): Curve {
  const knots = indices.map((i) => intoFrame(f, points[i]!)).toSorted((a, b) => a[0] - b[0]);
  const curve = new Float32Array(CURVE_STEPS + 1);
  for (let i = 0; i <= CURVE_STEPS; i++) curve[i] = hermite(knots, ((i / CURVE_STEPS) * 2 - 1) * f.half);
  return curve;
}

function hermite(knots: readonly Point[], x: number): number {
  let k = 0;
  while (k < knots.length - 2 && x > knots[k + 1]![0]) k++;
  const [x0, y0] = knots[k]!;
  const [x1, y1] = knots[k + 1]!;
  const span = Math.max(1e-3, x1 - x0);
  const t = Math.max(0, Math.min(1, (x - x0) / span));
  const slope = (i: number): number => {
    const a = knots[Math.max(0, i - 1)]!;
    const b = knots[Math.min(knots.length - 1, i + 1)]!;
    return (b[1] - a[1]) / Math.max(1e-3, b[0] - a[0]);
  };
  const t2 = t * t;
  const t3 = t2 * t;
  return (
    (2 * t3 - 3 * t2 + 1) * y0 +
    (t3 - 2 * t2 + t) * span * slope(k) +
    (3 * t2 - 2 * t3) * y1 +
    (t3 - t2) * span * slope(k + 1)
  );
}

/** The share of the way from the left corner (−1) to the right one (1) at a place of a curve. */
export function shareAt(step: number): number {
  return (step / CURVE_STEPS) * 2 - 1;
}
