import { seededRandom, type Random } from '../face/animation/random.ts';
import { SAMPLE_RATE } from '../media/audio-format.ts';

/** What is heard beside the user: a fan or traffic far away, or somebody who types. */
export type RoomNoise = 'none' | 'fan' | 'keyboard';

/** Then the noise begins anew: long enough that a recognizer meets each word with other noise. */
const LOOP_SECONDS = 10;

/**
 * A loop of noise that is the same in every run.
 * @returns 48 kHz, mean power 1; empty: no noise.
 */
export function roomNoise(kind: RoomNoise): Float32Array {
  switch (kind) {
    case 'none':
      return new Float32Array(0);
    case 'fan':
      return ofPowerOne(fan());
    case 'keyboard':
      return ofPowerOne(keyboard());
  }
}

/** Root of the mean power. @param samples at least one. */
export function rootMeanSquare(samples: Int16Array | Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / samples.length);
}

function ofPowerOne(noise: Float32Array): Float32Array {
  const power = rootMeanSquare(noise);
  return noise.map((sample) => sample / power);
}

/** Pink noise, equal power in each octave, by Voss: row k is drawn anew at every 2^k-th sample. */
function fan(): Float32Array {
  const random = seededRandom(2);
  const rows = new Float64Array(14);
  return Float32Array.from({ length: LOOP_SECONDS * SAMPLE_RATE }, (_, i) => {
    for (let row = 0; row < rows.length; row += 1) if (i % (1 << row) === 0) rows[row] = 2 * random() - 1;
    return rows.reduce((a, b) => a + b, 0);
  });
}

/** Five to nine keys a second with pauses for thought, each a strike and a softer release. */
function keyboard(): Float32Array {
  const random = seededRandom(3);
  const sound = new Float32Array(LOOP_SECONDS * SAMPLE_RATE);
  for (let at = 0.1; at < LOOP_SECONDS; at += random() < 0.08 ? 0.5 + random() : 0.11 + 0.09 * random()) {
    strike(sound, at, 0.6 + 0.4 * random(), random);
    strike(sound, at + 0.06 + 0.03 * random(), 0.2 + 0.1 * random(), random);
  }
  return sound;
}

/** A burst of noise with the resonance of a case, over within 15 ms. */
function strike(sound: Float32Array, atSeconds: number, amplitude: number, random: Random): void {
  const [from, pitchHz] = [Math.round(atSeconds * SAMPLE_RATE), 1_800 + 1_500 * random()];
  for (let i = 0; i < 0.015 * SAMPLE_RATE && from + i < sound.length; i += 1) {
    const decay = amplitude * Math.exp(-i / (0.003 * SAMPLE_RATE));
    const tone = Math.sin((2 * Math.PI * pitchHz * i) / SAMPLE_RATE);
    sound[from + i]! += decay * (0.6 * (2 * random() - 1) + 0.4 * tone);
  }
}
