import { luminance, sample, type Raster } from './raster.ts';
import { CURVE_STEPS, shareAt, type Curve } from './slit.ts';
import type { LipLines } from './face-geometry.ts';

/** Lips further apart than this share of the mouth's width show teeth. */
const TEETH_SHOWN = 0.075;
/** Where lips that show teeth would meet: the lower lip moves further. */
const MEETS_AT = 0.4;

export interface RestingMouth {
  readonly lips: LipLines;
  /** Where the lips meet when closed. */
  readonly restLine: Curve;
  readonly teethShown: boolean;
}

/** Finds the line between the lips. The landmarks miss it by some pixels; in a closed mouth it is the darkest path. */
export function findRestingMouth(image: Raster, lips: LipLines): RestingMouth {
  let gap = 0;
  for (let i = 0; i <= CURVE_STEPS; i++) gap = Math.max(gap, lips.lowerInner[i]! - lips.upperInner[i]!);
  const meet = (share: number) => lips.upperInner.map((upper, i) => upper + (lips.lowerInner[i]! - upper) * share);
  if (gap > TEETH_SHOWN * 2 * lips.frame.half)
    return { lips: withoutDarkCorners(lips), restLine: meet(MEETS_AT), teethShown: true };
  const restLine = darkestPath(image, lips, meet(0.5));
  return { lips: { ...lips, upperInner: restLine, lowerInner: restLine }, restLine, teethShown: false };
}

/**
 * In a smile with teeth, the mouth is dark next to the teeth, up to the corners and further than the landmarks say.
 * This cuts the dark part off the lips.
 */
function withoutDarkCorners(lips: LipLines): LipLines {
  const towards = (inner: Curve, outer: Curve, most: number) =>
    inner.map((y, i) => y + (outer[i]! - y) * most * Math.abs(shareAt(i)) ** 4);
  return {
    ...lips,
    upperInner: towards(lips.upperInner, lips.upperOuter, 0.7),
    lowerInner: towards(lips.lowerInner, lips.lowerOuter, 0.4),
  };
}

/** How far from the landmarks the line may be, as a share of the mouth's half width. */
const REACH = 0.11;
/** A step of one pixel aside must gain at least this much brightness. */
const STEP_COST = 14;

function darkestPath(image: Raster, { frame }: LipLines, guess: Curve): Curve {
  const reach = Math.max(2, Math.round(frame.half * REACH));
  const choices = 2 * reach + 1;
  const color = new Float32Array(3);
  const costs: Float32Array[] = [];
  const from: Int16Array[] = [];
  for (let i = 0; i <= CURVE_STEPS; i++) {
    const u = shareAt(i);
    // The corners are where the landmarks say.
    const free = 1 - Math.abs(u) ** 6;
    const cost = new Float32Array(choices);
    const came = new Int16Array(choices);
    for (let c = 0; c < choices; c++) {
      const aside = c - reach;
      const lx = u * frame.half;
      const ly = guess[i]! + aside;
      sample(image, frame.x + lx * frame.cos - ly * frame.sin, frame.y + lx * frame.sin + ly * frame.cos, color);
      const own = luminance(color[0]!, color[1]!, color[2]!) + (aside / reach) ** 2 * (12 + 200 * (1 - free));
      let best = Infinity;
      for (let step = -1; step <= 1; step++) {
        const before = c + step;
        if (before < 0 || before >= choices) continue;
        const total = (costs.at(-1)?.[before] ?? 0) + Math.abs(step) * STEP_COST;
        if (total < best) {
          best = total;
          came[c] = before;
        }
      }
      cost[c] = own + best;
    }
    costs.push(cost);
    from.push(came);
  }
  const path = new Float32Array(CURVE_STEPS + 1);
  let c = costs.at(-1)!.indexOf(Math.min(...costs.at(-1)!));
  for (let i = CURVE_STEPS; i >= 0; i--) {
    path[i] = guess[i]! + c - reach;
    c = from[i]![c]!;
  }
  return smoothed(path);
}

function smoothed(path: Curve): Curve {
  const radius = 12;
  return path.map((_, i) => {
    let sum = 0;
    let weight = 0;
    for (let k = Math.max(0, i - radius); k <= Math.min(path.length - 1, i + radius); k++) {
      const w = radius + 1 - Math.abs(k - i);
      sum += path[k]! * w;
      weight += w;
    }
    return sum / weight;
  });
}
