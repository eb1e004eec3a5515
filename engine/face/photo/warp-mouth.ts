import { smoothStep } from '../animation/ease.ts';
import type { FaceState } from '../animation/face-state.ts';
import type { FaceGeometry } from './face-geometry.ts';
import { findRestingMouth, type RestingMouth } from './lip-line.ts';
import { mouthLight, paintMouthInterior, type MouthLight } from './mouth-interior.ts';
import { mouthShape, type MouthShape } from './mouth-shape.ts';
import { emptyRaster, meanColor, sample, type Raster } from './raster.ts';
import { CURVE_STEPS, intoFrame } from './slit.ts';

/**
 * Moves the photo's lips, chin and the skin around them into any state, and paints what is visible between the lips.
 */
export interface MouthWarp {
  /** @returns the mouth's rectangle in that state. */
  draw(state: FaceState): Raster;
}

export function createMouthWarp(image: Raster, g: FaceGeometry): MouthWarp {
  const resting = findRestingMouth(image, g.lips);
  const { frame } = g.lips;
  const beside = [frame.x + (frame.half + 12 * g.unit), frame.y + 4 * g.unit] as const;
  const light = mouthLight(meanColor(image, beside[0], beside[1], 6 * g.unit));
  return { draw: (state) => warpMouth(image, g, resting, light, state) };
}

/** Tables along the mouth's x axis have this many entries per pixel, so that the nearest one is good enough. */
const FINENESS = 4;

function warpMouth(image: Raster, g: FaceGeometry, resting: RestingMouth, light: MouthLight, state: FaceState): Raster {
  const { unit } = g;
  const rect = g.rects.mouth;
  const { frame } = resting.lips;
  const shape = mouthShape(resting.lips, resting.restLine, resting.teethShown, unit, state);
  const out = emptyRaster(rect);
  const middle = resting.restLine[CURVE_STEPS / 2]!;
  const inside = shape.gap > 0.4 ? paintMouthInterior(rect, frame, middle, shape, light, unit, state) : null;
  const columns = columnTables(g, resting, shape);
  const color = new Float32Array(3);
  const lineDepth = lipLineDepth(resting, shape, unit);
  for (let py = 0, to = 0; py < rect.height; py++) {
    for (let px = 0; px < rect.width; px++, to += 4) {
      const dx = rect.x + px - frame.x;
      const dy = rect.y + py - frame.y;
      const lx = dx * frame.cos + dy * frame.sin;
      const ly = dy * frame.cos - dx * frame.sin;
      const k = Math.max(0, Math.min(columns.count - 1, Math.round((lx + columns.reach) * FINENESS)));
      const at = place(columns, k, ly);
      const sx = lx + (columns.sourceX[k]! - lx) * at.pull;
      sample(image, frame.x + sx * frame.cos - at.y * frame.sin, frame.y + sx * frame.sin + at.y * frame.cos, color);
      if (at.inner < 6 * unit) {
        const shadow = lineDepth * columns.inMouth[k]! * Math.exp(-((at.inner / (1.2 * unit)) ** 2));
        // Lips let some light through: their shadow is red.
        color[0]! *= 1 - shadow * 0.8;
        color[1]! *= 1 - shadow;
        color[2]! *= 1 - shadow;
      }
      const cover = inside === null ? 0 : at.opening;
      for (let i = 0; i < 3; i++) out.data[to + i] = color[i]! * (1 - cover) + (inside?.data[to + i] ?? 0) * cover;
      out.data[to + 3] = 255;
    }
  }
  return out;
}

/** How dark the inner edges of the lips get, 0…1. A photo with closed lips has its own dark line. */
function lipLineDepth(resting: RestingMouth, shape: MouthShape, unit: number): number {
  const nearlyShut = 1 - smoothStep(shape.gap / (5 * unit));
  return 0.3 + (resting.teethShown ? 0.12 : -0.2) * nearlyShut;
}

interface Columns {
  /** Width of the seam between lip and opening, in pixels: as soft as a photo. */
  readonly edge: number;
  readonly reach: number;
  readonly count: number;
  /** 1 between the corners, fading beyond. */
  readonly inMouth: Float32Array;
  readonly sourceX: Float32Array;
  /** Heights in the drawn state. */
  readonly top: Float32Array;
  readonly upperOuter: Float32Array;
  readonly upperInner: Float32Array;
  readonly lowerInner: Float32Array;
  readonly lowerOuter: Float32Array;
  readonly chin: number;
  readonly bottom: number;
  /** Heights of the same lines in the photo. */
  readonly fromUpperOuter: Float32Array;
  readonly fromUpperInner: Float32Array;
  readonly fromLowerInner: Float32Array;
  readonly fromLowerOuter: Float32Array;
  readonly chinDrop: Float32Array;
}

/** Half width, in units, of what moves down with the chin at full strength. */
const CHIN_HALF_WIDTH = 14;
const EDGE = 0.8;

function columnTables(g: FaceGeometry, { lips }: RestingMouth, shape: MouthShape): Columns {
  const { unit } = g;
  const rect = g.rects.mouth;
  const { frame } = lips;
  const reach = rect.width / 2 + 2;
  const count = Math.ceil(reach * 2 * FINENESS) + 1;
  const chinFrom = intoFrame(frame, g.chin)[1];
  const columns = {
    ...emptyTables(count),
    edge: Math.max(1, EDGE * unit),
    reach,
    count,
    chin: chinFrom + shape.jawDrop,
    bottom: rect.y + rect.height - frame.y,
  };
  const rectTop = rect.y - frame.y;
  const noseBase = intoFrame(frame, g.noseBase)[1] + 2.5 * unit;
  for (let k = 0; k < count; k++) {
    const lx = k / FINENESS - reach;
    const u = Math.max(-1, Math.min(1, lx / shape.half));
    const step = ((u + 1) / 2) * CURVE_STEPS;
    const beyond = Math.max(0, (Math.abs(lx) - shape.half) / (rect.width / 2 - shape.half));
    const fade = 1 - smoothStep(beyond);
    columns.inMouth[k] = 1 - smoothStep((Math.abs(lx) - shape.half * 0.9) / (shape.half * 0.18));
    columns.sourceX[k] =
      Math.abs(lx) <= shape.half
        ? u * frame.half
        : Math.sign(lx) * (frame.half + Math.min(1, beyond) * (rect.width / 2 - frame.half));
    followLips(columns, k, lips, shape, { step, fade });
    // The rolled-in part is not seen: the visible band ends earlier.
    columns.fromUpperInner[k]! -= shape.upperRolled * (columns.fromUpperInner[k]! - columns.fromUpperOuter[k]!);
    columns.fromLowerInner[k]! += shape.lowerRolled * (columns.fromLowerOuter[k]! - columns.fromLowerInner[k]!);
    // The nose stays: under it, the skin begins to move lower down.
    const besideNose = smoothStep((Math.abs(lx) - 15 * unit) / (14 * unit));
    columns.top[k] = noseBase + (rectTop - noseBase) * besideNose;
    columns.chinDrop[k] =
      shape.jawDrop *
      (1 - smoothStep((Math.abs(lx) - CHIN_HALF_WIDTH * unit) / (rect.width / 2 - CHIN_HALF_WIDTH * unit)));
  }
  return columns;
}

/** One number for each column. */
function emptyTables(count: number) {
  const table = () => new Float32Array(count);
  return {
    inMouth: table(),
    sourceX: table(),
    top: table(),
    upperOuter: table(),
    upperInner: table(),
    lowerInner: table(),
    lowerOuter: table(),
    fromUpperOuter: table(),
    fromUpperInner: table(),
    fromLowerInner: table(),
    fromLowerOuter: table(),
    chinDrop: table(),
  };
}

/** The lines of the lips in column `k`. @param at.step where on the curves. @param at.fade how much of the movement is left. */
function followLips(
  columns: Columns,
  k: number,
  lips: RestingMouth['lips'],
  shape: MouthShape,
  { step, fade }: { readonly step: number; readonly fade: number },
): void {
  for (const [to, from, line, source] of [
    [columns.upperOuter, columns.fromUpperOuter, shape.upperOuter, lips.upperOuter],
    [columns.upperInner, columns.fromUpperInner, shape.upperInner, lips.upperInner],
    [columns.lowerInner, columns.fromLowerInner, shape.lowerInner, lips.lowerInner],
    [columns.lowerOuter, columns.fromLowerOuter, shape.lowerOuter, lips.lowerOuter],
  ] as const) {
    from[k] = onCurve(source, step);
    to[k] = from[k]! + (onCurve(line, step) - from[k]!) * fade;
  }
}

/** A curve between two of its points. */
function onCurve(curve: Float32Array, step: number): number {
  const i = Math.min(CURVE_STEPS - 1, Math.floor(step));
  return curve[i]! + (curve[i + 1]! - curve[i]!) * (step - i);
}

/** Where a pixel comes from. One object, used again for every pixel. */
const found = {
  /** Height in the photo. */
  y: 0,
  /** The share of the mouth's widening that applies here. */
  pull: 0,
  /** 0…1: how much of the pixel lies between the lips. */
  opening: 0,
  /** Distance to the nearest inner edge of a lip. */
  inner: 0,
};

function place(c: Columns, k: number, ly: number): typeof found {
  const upperInner = c.upperInner[k]!;
  const lowerInner = c.lowerInner[k]!;
  found.opening = Math.max(
    0,
    Math.min(1, Math.min(ly - upperInner, lowerInner - ly) / c.edge + 0.5, (lowerInner - upperInner) / c.edge),
  );
  found.inner = Math.min(Math.abs(ly - upperInner), Math.abs(lowerInner - ly));
  found.pull = 1;
  if (ly < (upperInner + lowerInner) / 2) {
    const outer = c.upperOuter[k]!;
    if (ly > outer) found.y = between(outer, upperInner, c.fromUpperOuter[k]!, c.fromUpperInner[k]!, ly);
    else {
      const top = c.top[k]!;
      const share = ly <= top ? 0 : smoothStep((ly - top) / Math.max(1, outer - top));
      found.y = ly - (outer - c.fromUpperOuter[k]!) * share;
      found.pull = share;
    }
    return found;
  }
  const outer = c.lowerOuter[k]!;
  if (ly < outer) found.y = between(outer, lowerInner, c.fromLowerOuter[k]!, c.fromLowerInner[k]!, ly);
  else {
    const moved = outer - c.fromLowerOuter[k]!;
    const drop = c.chinDrop[k]!;
    const chin = Math.max(c.chin, outer + 4);
    const d =
      ly < chin
        ? moved + (drop - moved) * smoothStep((ly - outer) / (chin - outer))
        : drop * (1 - smoothStep((ly - chin) / Math.max(1, c.bottom - chin)));
    found.y = ly - d;
    found.pull = 1 - smoothStep((ly - outer) / Math.max(1, c.bottom - outer));
  }
  return found;
}

/** The place between two lines of the photo that corresponds to one between their places in the drawing. */
function between(outer: number, inner: number, fromOuter: number, fromInner: number, ly: number): number {
  const span = inner - outer;
  if (Math.abs(span) < 0.01) return fromInner;
  const share = Math.max(0, Math.min(1, (ly - outer) / span));
  return fromOuter + (fromInner - fromOuter) * share;
}
