import { FourierTransform } from '../../../models/fourier.ts';
import { melBands } from '../../../models/end-of-turn/mel-bands.ts';
import { SPEECH_RATE } from './speech-track.ts';

/**
 * The audio features of lip-sync models of the common form: 16 frames of 80 mel bands, 12.5 ms apart, from the time of
 * the frame on. Amplitudes in dB below the loudest, scaled to −4…4.
 */
export const MEL_BANDS = 80;
export const MEL_FRAMES = 16;
const WINDOW_SAMPLES = 800;
const HOP_SAMPLES = 200;
const PREEMPHASIS = 0.97;
const LOWEST_HERTZ = 55;
const HIGHEST_HERTZ = 7_600;
const REFERENCE_DB = 20;
const RANGE_DB = 100;
const SCALE = 4;
const QUIETEST = 1e-5;

/**
 * How many samples a window needs. Frames are centered, so it begins half a transform early; one more is for the
 * pre-emphasis.
 */
export const FEATURE_SAMPLES = (MEL_FRAMES - 1) * HOP_SAMPLES + WINDOW_SAMPLES + 1;
/** How long before the frame's time the samples begin, ms. */
export const FEATURES_BEGIN_MS = ((WINDOW_SAMPLES / 2 + 1) / SPEECH_RATE) * 1000;

const hann = Float64Array.from(
  { length: WINDOW_SAMPLES },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / WINDOW_SAMPLES),
);
const fourier = new FourierTransform(WINDOW_SAMPLES);
const bands = melBands(MEL_BANDS, SPEECH_RATE, WINDOW_SAMPLES, { low: LOWEST_HERTZ, high: HIGHEST_HERTZ });
const re = new Float64Array(WINDOW_SAMPLES);
const im = new Float64Array(WINDOW_SAMPLES);
const outRe = new Float64Array(WINDOW_SAMPLES);
const outIm = new Float64Array(WINDOW_SAMPLES);

/** @param samples `FEATURE_SAMPLES` of 16 kHz, −1…1. @returns [80][16], row by row. */
export function lipSyncFeatures(samples: Float32Array): Float32Array {
  if (samples.length !== FEATURE_SAMPLES)
    throw new RangeError(`The features need ${FEATURE_SAMPLES} samples, not ${samples.length}.`);
  const features = new Float32Array(MEL_BANDS * MEL_FRAMES);
  im.fill(0);
  for (let frame = 0; frame < MEL_FRAMES; frame++) {
    const at = frame * HOP_SAMPLES + 1;
    for (let i = 0; i < WINDOW_SAMPLES; i++) re[i] = (samples[at + i]! - PREEMPHASIS * samples[at + i - 1]!) * hann[i]!;
    fourier.forward(re, im, outRe, outIm);
    bands.forEach(({ first, weights }, band) => {
      let sum = 0;
      for (let i = 0; i < weights.length; i++) sum += weights[i]! * Math.hypot(outRe[first + i]!, outIm[first + i]!);
      const db = 20 * Math.log10(Math.max(QUIETEST, sum)) - REFERENCE_DB;
      features[band * MEL_FRAMES + frame] = Math.max(
        -SCALE,
        Math.min(SCALE, 2 * SCALE * ((db + RANGE_DB) / RANGE_DB) - SCALE),
      );
    });
  }
  return features;
}
