/** The Slaney mel scale: linear below 1 kHz, logarithmic above. */

const LINEAR_MELS_PER_HERTZ = 3 / 200;
const LOG_FROM_HERTZ = 1_000;
const LOG_FROM_MEL = LOG_FROM_HERTZ * LINEAR_MELS_PER_HERTZ;
const LOG_STEP = Math.log(6.4) / 27;

function hertzToMel(hertz: number): number {
  return hertz < LOG_FROM_HERTZ
    ? hertz * LINEAR_MELS_PER_HERTZ
    : LOG_FROM_MEL + Math.log(hertz / LOG_FROM_HERTZ) / LOG_STEP;
}

function melToHertz(mel: number): number {
  return mel < LOG_FROM_MEL ? mel / LINEAR_MELS_PER_HERTZ : LOG_FROM_HERTZ * Math.exp(LOG_STEP * (mel - LOG_FROM_MEL));
}

/** A triangle over the bins of a spectrum: the weights from bin `first` on. */
export interface MelBand {
  readonly first: number;
  readonly weights: Float64Array;
}

/**
 * Overlapping bands of unit area, evenly spaced on the Slaney scale between two frequencies. @param range all by
 * default.
 */
export function melBands(
  count: number,
  sampleRate: number,
  windowSamples: number,
  range = { low: 0, high: sampleRate / 2 },
): MelBand[] {
  const bottom = hertzToMel(range.low);
  const top = hertzToMel(range.high);
  const edges = Float64Array.from({ length: count + 2 }, (_, i) =>
    melToHertz(bottom + ((top - bottom) * i) / (count + 1)),
  );
  return Array.from({ length: count }, (_, band) => {
    const [low, middle, high] = [edges[band] as number, edges[band + 1] as number, edges[band + 2] as number];
    const weights: number[] = [];
    let first = 0;
    for (let bin = 0; bin <= windowSamples / 2; bin++) {
      const hertz = (bin * sampleRate) / windowSamples;
      const weight = Math.min((hertz - low) / (middle - low), (high - hertz) / (high - middle));
      if (weight <= 0) continue;
      if (weights.length === 0) first = bin;
      weights.push((weight * 2) / (high - low));
    }
    return { first, weights: Float64Array.from(weights) };
  });
}
