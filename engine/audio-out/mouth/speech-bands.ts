import { FRAME_SAMPLES, SAMPLE_RATE } from '../../media/audio-format.ts';

/**
 * The bands in which mouths differ. The first two show how open the jaw is (first formant), the next two where the
 * tongue and lips are (second formant), the last shows the hiss of s and sh. Center and width in Hz.
 */
const BANDS = [
  { center: 350, width: 300 },
  { center: 750, width: 500 },
  { center: 1_500, width: 1_000 },
  { center: 2_800, width: 1_400 },
  { center: 5_500, width: 4_000 },
] as const;

/** Measurements of 20 ms of sound. */
export interface SpeechWindow {
  /** dB below full scale. */
  readonly levelDb: number;
  /** Mean power in each of the five bands. */
  readonly bands: readonly number[];
}

/** Two-pole resonator (constant peak gain), the state of one band. */
interface Resonator {
  readonly gain: number;
  readonly a1: number;
  readonly a2: number;
  x1: number;
  x2: number;
  y1: number;
  y2: number;
}

function resonator(center: number, width: number): Resonator {
  const angle = (2 * Math.PI * center) / SAMPLE_RATE;
  const alpha = (Math.sin(angle) * width) / (2 * center);
  const scale = 1 + alpha;
  return {
    gain: alpha / scale,
    a1: (-2 * Math.cos(angle)) / scale,
    a2: (1 - alpha) / scale,
    x1: 0,
    x2: 0,
    y1: 0,
    y2: 0,
  };
}

/** Measures a stream window by window; about 0.1 ms each. */
export class SpeechBands {
  /** Two in series per band: a single one lets so much of a loud neighbor through that vowels look alike. */
  readonly #resonators = BANDS.map(
    ({ center, width }) => [resonator(center, width), resonator(center, width)] as const,
  );
  readonly #between = new Float32Array(FRAME_SAMPLES);

  /** @param pcm 960 samples. */
  measure(pcm: Int16Array): SpeechWindow {
    let power = 0;
    for (const sample of pcm) power += sample * sample;
    return {
      levelDb: 10 * Math.log10(power / FRAME_SAMPLES / 32_768 ** 2 + 1e-10),
      bands: this.#resonators.map(([first, second]) => {
        pass(first, pcm, this.#between, 1 / 32_768);
        return pass(second, this.#between, this.#between, 1);
      }),
    };
  }
}

/** Filters `input` times `scale` into `output`. @returns the mean power of the output. */
function pass(band: Resonator, input: Int16Array | Float32Array, output: Float32Array, scale: number): number {
  const { gain, a1, a2 } = band;
  let { x1, x2, y1, y2 } = band;
  let power = 0;
  for (let k = 0; k < input.length; k += 1) {
    const x = input[k]! * scale;
    const y = gain * (x - x2) - a1 * y1 - a2 * y2;
    x2 = x1;
    x1 = x;
    y2 = y1;
    y1 = y;
    output[k] = y;
    power += y * y;
  }
  Object.assign(band, { x1, x2, y1, y2 });
  return power / input.length;
}
