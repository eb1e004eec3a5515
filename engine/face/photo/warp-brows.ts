import { smoothStep } from '../animation/ease.ts';
import type { FaceState } from '../animation/face-state.ts';
import type { FaceGeometry } from './face-geometry.ts';
import type { Point } from './landmarks.ts';
import { emptyRaster, sample, type Raster } from './raster.ts';

/** Raises, lowers and slants the photo's brows. */
export interface BrowsWarp {
  draw(state: FaceState): Raster;
}

/** At full raise and full slant, in face units. */
const RAISE = 8;
const SLANT = 7;
/** Half the thickness of the area that moves with a brow unchanged, in face units. */
const BAND = 6;
/** Height of the skin at the lower edge that can be compressed. The ends of low brows reach into it and move less. */
const MIN_GIVE = 6;

export function createBrowsWarp(image: Raster, g: FaceGeometry): BrowsWarp {
  return { draw: (state) => warpBrows(image, g, state) };
}

/** A brow as a smooth arc: its height and place along its length. */
interface Arc {
  readonly x0: number;
  readonly x1: number;
  readonly y: (x: number) => number;
  /** x of the end near the nose. */
  readonly inner: number;
}

function arcOf(points: readonly Point[], innerIsLast: boolean): Arc {
  const x0 = points[0]![0];
  const x1 = points.at(-1)![0];
  const y = (x: number) => {
    let i = 0;
    while (i < points.length - 2 && x > points[i + 1]![0]) i++;
    const [ax, ay] = points[i]!;
    const [bx, by] = points[i + 1]!;
    return ay + (by - ay) * Math.max(0, Math.min(1, (x - ax) / Math.max(1, bx - ax)));
  };
  return { x0, x1, y, inner: innerIsLast ? x1 : x0 };
}

function warpBrows(image: Raster, g: FaceGeometry, state: FaceState): Raster {
  const { unit } = g;
  const rect = g.rects.brows;
  const out = emptyRaster(rect);
  const arcs = [arcOf(g.brows[0], true), arcOf(g.brows[1], false)] as const;
  const color = new Float32Array(3);
  const bottom = rect.y + rect.height;
  const middle = (arcs[0].x1 + arcs[1].x0) / 2;
  for (let px = 0; px < rect.width; px++) {
    const x = rect.x + px;
    const arc = x < middle ? arcs[0] : arcs[1];
    const along = (x - (arc.x0 + arc.x1) / 2) / ((arc.x1 - arc.x0) / 2);
    // 1 at the end near the nose, −1 at the temple.
    const inwards = arc.inner === arc.x1 ? along : -along;
    const sideFade = 1 - smoothStep((Math.abs(x - g.eyes[0]) - (rect.width / 2) * 0.72) / ((rect.width / 2) * 0.28));
    // Between the brows both move: a frown draws them together.
    const shift =
      -(state.browRaise * RAISE - state.browSlant * SLANT * Math.max(-0.45, Math.min(1, inwards))) * unit * sideFade;
    const y = arc.y(Math.max(arc.x0, Math.min(arc.x1, x)));
    const to = Math.min(y + BAND * unit, bottom - MIN_GIVE * unit);
    const from = Math.min(y, to) - BAND * unit;
    // The skin under the brow must not fold. It can be compressed by less than half of its height.
    const d = Math.min(shift, (bottom - to) * 0.4);
    for (let py = 0; py < rect.height; py++) {
      const at = rect.y + py;
      const share =
        at < from + d
          ? ease((at - rect.y) / Math.max(1, from + d - rect.y))
          : at > to + d
            ? 1 - ease((at - to - d) / Math.max(1, bottom - to - d))
            : 1;
      sample(image, x, at - d * share, color);
      const index = (py * rect.width + px) * 4;
      for (let i = 0; i < 3; i++) out.data[index + i] = color[i]!;
      out.data[index + 3] = 255;
    }
  }
  return out;
}

/** From 0 to 1 with a slope of at most 1.15: a steeper one would smear the skin under a raised brow. */
function ease(share: number): number {
  const t = Math.max(0, Math.min(1, share));
  return 0.7 * t + 0.3 * smoothStep(t);
}
