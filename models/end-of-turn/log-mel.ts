import { FourierTransform } from '../fourier.ts';
import { melBands } from './mel-bands.ts';

/**
 * The features that Whisper's encoder takes: 80 mel bands of 25 ms windows every 10 ms, logarithmic, of 8 s at 16 kHz.
 */

export const MEL_BANDS = 80;
export const MEL_FRAMES = 800;
const HOP_SAMPLES = 160;
const WINDOW_SAMPLES = 400;
export const FEATURE_SAMPLES = MEL_FRAMES * HOP_SAMPLES;
const BINS = WINDOW_SAMPLES / 2 + 1;
/** Bands more than 8 decades below the loudest count as that. */
const DYNAMIC_RANGE = 8;

const hann = Float64Array.from(
  { length: WINDOW_SAMPLES },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / WINDOW_SAMPLES),
);
const fourier = new FourierTransform(WINDOW_SAMPLES);
const bands = melBands(MEL_BANDS, 16_000, WINDOW_SAMPLES);

/** @param pcm 16 kHz; the last 8 s count, shorter sound stands at the end. @returns [80][800], row by row. */
export function whisperFeatures(pcm: Int16Array): Float32Array {
  const samples = withMirroredEdges(normalized(lastSeconds(pcm)));
  const features = new Float32Array(MEL_BANDS * MEL_FRAMES);
  // Two real frames fit into one complex transform.
  for (let frame = 0; frame < MEL_FRAMES; frame += 2) writeTwoFrames(samples, frame, features);
  return compressed(features);
}

function lastSeconds(pcm: Int16Array): Float64Array {
  const samples = new Float64Array(FEATURE_SAMPLES);
  const kept = pcm.subarray(Math.max(0, pcm.length - FEATURE_SAMPLES));
  for (let i = 0; i < kept.length; i++) samples[FEATURE_SAMPLES - kept.length + i] = (kept[i] as number) / 32_768;
  return samples;
}

/** Mean 0 and variance 1 over all of it. */
function normalized(samples: Float64Array): Float64Array {
  const mean = samples.reduce((sum, x) => sum + x, 0) / samples.length;
  const variance = samples.reduce((sum, x) => sum + (x - mean) ** 2, 0) / samples.length;
  const scale = 1 / Math.sqrt(variance + 1e-7);
  return samples.map((x) => (x - mean) * scale);
}

/** Frames are centered on their time, so the first and the last reach half a window beyond the sound. */
function withMirroredEdges(samples: Float64Array): Float64Array {
  const edge = WINDOW_SAMPLES / 2;
  const padded = new Float64Array(samples.length + 2 * edge);
  padded.set(samples, edge);
  for (let i = 1; i <= edge; i++) {
    padded[edge - i] = samples[i] as number;
    padded[edge + samples.length - 1 + i] = samples[samples.length - 1 - i] as number;
  }
  return padded;
}

const re = new Float64Array(WINDOW_SAMPLES);
const im = new Float64Array(WINDOW_SAMPLES);
const outRe = new Float64Array(WINDOW_SAMPLES);
const outIm = new Float64Array(WINDOW_SAMPLES);
const power = [new Float64Array(BINS), new Float64Array(BINS)] as const;

function writeTwoFrames(samples: Float64Array, frame: number, features: Float32Array): void {
  const at = frame * HOP_SAMPLES;
  for (let i = 0; i < WINDOW_SAMPLES; i++) {
    re[i] = (samples[at + i] as number) * (hann[i] as number);
    im[i] = (samples[at + HOP_SAMPLES + i] as number) * (hann[i] as number);
  }
  fourier.forward(re, im, outRe, outIm);
  for (let bin = 0; bin < BINS; bin++) {
    const mirror = (WINDOW_SAMPLES - bin) % WINDOW_SAMPLES;
    const [a, b, c, d] = [outRe[bin] as number, outIm[bin] as number, outRe[mirror] as number, outIm[mirror] as number];
    power[0][bin] = ((a + c) ** 2 + (b - d) ** 2) / 4;
    power[1][bin] = ((b + d) ** 2 + (c - a) ** 2) / 4;
  }
  bands.forEach(({ first, weights }, band) => {
    let sum0 = 0;
    let sum1 = 0;
    for (let i = 0; i < weights.length; i++) {
      sum0 += (weights[i] as number) * (power[0][first + i] as number);
      sum1 += (weights[i] as number) * (power[1][first + i] as number);
    }
    features[band * MEL_FRAMES + frame] = Math.log10(Math.max(sum0, 1e-10));
    features[band * MEL_FRAMES + frame + 1] = Math.log10(Math.max(sum1, 1e-10));
  });
}

function compressed(features: Float32Array): Float32Array {
  const floor = features.reduce((most, x) => Math.max(most, x), Number.NEGATIVE_INFINITY) - DYNAMIC_RANGE;
  return features.map((x) => (Math.max(x, floor) + 4) / 4);
}
