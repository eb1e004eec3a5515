import { randomNumbers } from './sounds.ts';
import { recordings } from './speech/recordings.ts';

/** Noises of a room that repeat exactly, 16 kHz. Their level means nothing: `addNoise` sets it. */

const RATE = 16_000;

/** What can be heard beside a user's voice, by name. `without`: a recording that must not be part of it. */
export const NOISES: Readonly<Record<string, (seconds: number, without?: string) => Float32Array>> = {
  white: (seconds) => white(seconds, 1),
  /** A fan, traffic far away: equal power in each octave. */
  pink,
  /** A bad cable: mains and what it brings with it. */
  hum: (seconds) =>
    samples(seconds, (at) => [1, 2, 3, 5, 7].reduce((sum, k) => sum + Math.sin(2 * Math.PI * 50 * k * at) / k, 0)),
  keyboard,
  babble,
  /** Voices at other tables, cups, and the hiss of a machine. */
  cafe: (seconds, without) => {
    const parts = [babble(seconds, without), pink(seconds), clinks(seconds)];
    const gains = parts.map((part, at) => (at === 0 ? 1 : 0.5) / rms(part));
    return samples(seconds, (_, i) => parts.reduce((sum, part, at) => sum + part[i]! * gains[at]!, 0));
  },
};

/**
 * @param voice 16-bit. @param snrDb how much louder the voice is while it sounds, in the mean. @returns the voice with
 * the noise beside it, clipped where it must be.
 */
export function addNoise(voice: Int16Array, noise: Float32Array, snrDb: number): Int16Array {
  return mixed(voice, noise, (voicedRms(voice) / rms(noise)) * 10 ** (-snrDb / 20));
}

/** @param levelDb of its loud parts, dB below full scale. @returns the voice at that level. */
export function voiceAt(voice: Int16Array, levelDb: number): Int16Array {
  const gain = (32_768 * 10 ** (levelDb / 20)) / voicedRms(voice);
  return voice.map((sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * gain))));
}

/** @param levelDb dB below full scale. @returns the noise alone. */
export function noiseAt(noise: Float32Array, levelDb: number): Int16Array {
  return mixed(new Int16Array(noise.length), noise, (32_768 * 10 ** (levelDb / 20)) / rms(noise));
}

function mixed(voice: Int16Array, noise: Float32Array, gain: number): Int16Array {
  return voice.map((sample, i) =>
    Math.max(-32_768, Math.min(32_767, Math.round(sample + gain * (noise[i % noise.length] as number)))),
  );
}

/** Of the loudest half of the 32 ms pieces: pauses do not count. */
export function voicedRms(voice: Int16Array): number {
  const powers: number[] = [];
  for (let at = 0; at + 512 <= voice.length; at += 512)
    powers.push(voice.subarray(at, at + 512).reduce((sum, x) => sum + x * x, 0) / 512);
  const loud = powers.toSorted((a, b) => b - a).slice(0, Math.ceil(powers.length / 2));
  return Math.sqrt(loud.reduce((a, b) => a + b, 0) / loud.length);
}

function rms(sound: Float32Array): number {
  return Math.sqrt(sound.reduce((sum, x) => sum + x * x, 0) / sound.length);
}

function samples(seconds: number, value: (at: number, index: number) => number): Float32Array {
  return Float32Array.from({ length: seconds * RATE }, (_, i) => value(i / RATE, i));
}

function white(seconds: number, seed: number): Float32Array {
  const random = randomNumbers(seed);
  return samples(seconds, () => 2 * random() - 1);
}

function pink(seconds: number): Float32Array {
  const random = randomNumbers(2);
  const rows = new Float64Array(12);
  // Voss: row k is drawn anew at every 2^k-th sample.
  return samples(seconds, (_, i) => {
    for (let row = 0; row < rows.length; row += 1) if (i % (1 << row) === 0) rows[row] = 2 * random() - 1;
    return rows.reduce((a, b) => a + b, 0);
  });
}

/** Somebody types: five to nine keys a second with pauses for thought, each a strike and a softer release. */
function keyboard(seconds: number): Float32Array {
  const random = randomNumbers(3);
  const sound = new Float32Array(seconds * RATE);
  for (let at = 0.1; at < seconds; at += random() < 0.08 ? 0.5 + random() : 0.11 + 0.09 * random()) {
    click(sound, at, 0.6 + 0.4 * random(), random);
    click(sound, at + 0.06 + 0.03 * random(), 0.2 + 0.1 * random(), random);
  }
  return sound;
}

/** A burst of noise with the resonance of a case, over within 15 ms. */
function click(sound: Float32Array, seconds: number, amplitude: number, random: () => number): void {
  const [from, pitch] = [Math.round(seconds * RATE), 1_800 + 1_500 * random()];
  for (let i = 0; i < 0.015 * RATE && from + i < sound.length; i += 1) {
    const decay = amplitude * Math.exp(-i / (0.003 * RATE));
    sound[from + i]! += decay * (0.6 * (2 * random() - 1) + 0.4 * Math.sin((2 * Math.PI * pitch * i) / RATE));
  }
}

/** Cups and spoons, one or two a second. */
function clinks(seconds: number): Float32Array {
  const random = randomNumbers(4);
  const sound = new Float32Array(seconds * RATE);
  for (let at = 0.3; at < seconds; at += 0.3 + 0.8 * random()) {
    const [from, pitch, amplitude] = [Math.round(at * RATE), 2_500 + 3_000 * random(), 0.3 + 0.7 * random()];
    for (let i = 0; i < 0.25 * RATE && from + i < sound.length; i += 1)
      sound[from + i]! += amplitude * Math.exp(-i / (0.05 * RATE)) * Math.sin((2 * Math.PI * pitch * i) / RATE);
  }
  return sound;
}

/** Eight people at once: recordings at other speeds and places, without their pauses. */
function babble(seconds: number, without?: string): Float32Array {
  const random = randomNumbers(5);
  const voices = recordings().filter(({ name }) => name !== without && !name.startsWith('cards'));
  const sound = new Float32Array(seconds * RATE);
  for (let speaker = 0; speaker < 8; speaker += 1) {
    const { pcm } = voices[speaker % voices.length]!;
    const [speed, offset] = [0.88 + 0.24 * random(), random() * pcm.length];
    const level = (0.5 + 0.5 * random()) / voicedRms(pcm);
    for (let i = 0; i < sound.length; i += 1) sound[i]! += level * pcm[Math.floor(offset + i * speed) % pcm.length]!;
  }
  return sound;
}
