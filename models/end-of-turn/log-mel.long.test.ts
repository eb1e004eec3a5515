import { describe, expect, test } from 'vitest';
import { concat, silence, spoken, whiteNoise } from '../testing/sounds.ts';
import { FEATURE_SAMPLES, MEL_BANDS, MEL_FRAMES, whisperFeatures } from './log-mel.ts';

function tone(hertz: number, samples = FEATURE_SAMPLES): Int16Array {
  return Int16Array.from({ length: samples }, (_, i) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * hertz * i) / 16_000)),
  );
}

function loudestBand(features: Float32Array, frame: number): number {
  let best = 0;
  for (let band = 1; band < MEL_BANDS; band++) {
    if ((features[band * MEL_FRAMES + frame] as number) > (features[best * MEL_FRAMES + frame] as number)) best = band;
  }
  return best;
}

/** Center of a band on the Slaney scale, from its published definition: 80 bands between 0 and 8 kHz. */
function bandCenter(band: number): number {
  const top = 15 + (27 * Math.log(8)) / Math.log(6.4);
  const mel = (top * (band + 1)) / 81;
  return mel < 15 ? (mel * 200) / 3 : 1_000 * 6.4 ** ((mel - 15) / 27);
}

/** Band, frame, value. */
const REFERENCE = [
  [0, 0, 0.23871],
  [5, 499, 0.66654],
  [0, 500, 1.3444],
  [3, 520, 0.739],
  [10, 600, 0.93197],
  [25, 650, 0.56262],
  [40, 700, 0.9217],
  [60, 750, 0.87465],
  [79, 799, 0.86889],
  [20, 798, 0.81271],
] as const;

describe('the spectrum that the end-of-turn model takes', () => {
  test('has 80 bands of 800 frames, whatever the length of the sound', () => {
    for (const samples of [0, 1, 16_000, FEATURE_SAMPLES, 3 * FEATURE_SAMPLES]) {
      expect(whisperFeatures(whiteNoise(samples, 0.3))).toHaveLength(80 * 800);
    }
  });

  test.each([250, 700, 1_500, 3_000, 6_000])('shows a tone of %i Hz in the band around it', (hertz) => {
    const band = loudestBand(whisperFeatures(tone(hertz)), 400);
    expect(bandCenter(band - 1)).toBeLessThan(hertz);
    expect(bandCenter(band + 1)).toBeGreaterThan(hertz);
  });

  /**
   * Computed by the reference: transformers' WhisperFeatureExtractor in numpy, as pipecat-ai 1.14.0 carries it. On five
   * recordings of people, no value of 64,000 differs by more than 0.000008.
   */
  test('equals that of the reference implementation', () => {
    let seed = 12_345;
    const sound = Int16Array.from({ length: 48_000 }, (_, i) => {
      seed = Number((BigInt(seed) * 1_103_515_245n + 12_345n) & 0x7fffffffn);
      const chirp = 6_000 * Math.sin(2 * Math.PI * ((200 * i) / 16_000 + 600 * (i / 16_000) ** 2));
      return Math.round(chirp) + ((seed >> 16) % 2_001) - 1_000;
    });
    const features = whisperFeatures(sound);
    for (const [band, frame, expected] of REFERENCE)
      expect(Math.abs((features[band * MEL_FRAMES + frame] as number) - expected), `${band}, ${frame}`).toBeLessThan(
        2e-4,
      );
  });

  test('is silent at one value', () => {
    expect(new Set(whisperFeatures(silence(16_000)))).toEqual(new Set([Math.fround((-10 + 4) / 4)]));
  });

  test('spans at most eight decades below the loudest', () => {
    const features = whisperFeatures(concat(silence(64_000), spoken('Is this the end?')));
    const loudest = Math.max(...features);
    expect(Math.min(...features)).toBeCloseTo(loudest - 2, 5);
  });

  test('does not depend on the volume of long sound', () => {
    const loud = whisperFeatures(whiteNoise(FEATURE_SAMPLES, 0.8));
    const soft = whisperFeatures(whiteNoise(FEATURE_SAMPLES, 0.2));
    loud.forEach((x, i) => expect(Math.abs(x - (soft[i] as number))).toBeLessThan(0.02));
  });

  test('puts short sound at the end and cuts long sound at the front', () => {
    const features = whisperFeatures(tone(1_000, 16_000));
    const level = (frame: number) => features[loudestBand(features, 790) * MEL_FRAMES + frame] as number;
    expect(level(100)).toBeLessThan(level(790) - 1);
    const ending = whiteNoise(FEATURE_SAMPLES, 0.5);
    expect(whisperFeatures(concat(tone(300, 50_000), ending))).toEqual(whisperFeatures(ending));
  });
});
