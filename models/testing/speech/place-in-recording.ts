import type { Recording } from './recordings.ts';

/** Finds the place of a sound in one of some recordings, and the words that are spoken there. */

/** Sounds are compared at 4 kHz: voices are recognized, and a search takes a fraction of a second. */
const DECIMATION = 4;
const RATE = 16_000 / DECIMATION;
/** The loudest parts of an upload, of which one is enough to find it. */
const PROBES = 3;
const PROBE_SAMPLES = 0.4 * RATE;
/**
 * The same place of a recording has 0.8 to 0.95 through Opus twice with a browser between, on a busy machine, too, which
 * stretches single syllables; other places have less than 0.4.
 */
const MIN_CORRELATION = 0.5;
/** Nothing else needs to be tried. */
const SURE = 0.75;
/** Around the middle of a word: where it is in an upload that was stretched or has a hole in it. */
const WORD_SAMPLES = 0.24 * RATE;
/**
 * From a browser with a tenth of a core, a word near the place where it is expected has 0.5 and more, 0.36 with a hole in its
 * middle; one that is far from it 0.57 and more. Far away a voice resembles itself by up to 0.51: the "think" of a synthetic one.
 */
const MIN_OF_WORD = { exact: 0.15, near: 0.34, far: 0.54 } as const;
const EXACT_SAMPLES = 0.01 * RATE;
/** ms */
const NEAR_MS = 150;
/** ms by which a word may be elsewhere than the loudest part says: what a starved browser leaves out or fills in. */
const MAX_SHIFT_MS = 800;
/** Less than any sound has, so that silence resembles nothing. */
const NO_POWER = 1e-3;

export interface Known {
  readonly recording: Recording;
  /** As `comparable` makes it. */
  readonly sound: Float32Array;
}

interface Place {
  readonly known: Known;
  /** ms in the recording at which the upload begins, by its part that is most like the recording. */
  readonly from: number;
}

/**
 * @param upload as `comparable` makes it.
 * @returns the words whose middle is in it, in their order; '' if it is of none of the recordings.
 */
export function wordsHeard(upload: Float32Array, known: readonly Known[]): string {
  const place = placeOf(upload, known);
  if (place === null) return '';
  return wordsOf(place.known.recording)
    .filter(({ middle }) => {
      const at = placeOfWord(middle, place, upload);
      return at !== null && at >= 0 && at < (upload.length * 1_000) / RATE;
    })
    .map(({ word }) => word)
    .join(' ');
}

/** Where it is most probably; null: nowhere. */
function placeOf(upload: Float32Array, known: readonly Known[]): Place | null {
  let place: Place | null = null;
  let least = MIN_CORRELATION;
  for (const probeAt of loudestParts(upload)) {
    for (const one of known) {
      const { at, correlation } = find(upload.subarray(probeAt, probeAt + PROBE_SAMPLES), one.sound);
      if (correlation < least) continue;
      least = correlation;
      place = { known: one, from: ((at - probeAt) * 1_000) / RATE };
      if (correlation >= SURE) return place;
    }
  }
  return place;
}

function find(probe: Float32Array, known: Float32Array): { at: number; correlation: number } {
  // The probe may begin before the recording or end after it.
  const margin = probe.length >> 1;
  const around = new Float32Array(known.length + 2 * margin);
  around.set(known, margin);
  const probePower = powerOf(probe);
  let power = powerOf(around.subarray(0, probe.length));
  let best = { at: 0, correlation: 0 };
  for (let at = 0; at + probe.length <= around.length; at += 1) {
    let product = 0;
    for (let i = 0; i < probe.length; i += 1) product += probe[i]! * around[at + i]!;
    const correlation = product / Math.sqrt(Math.max(power, NO_POWER) * Math.max(probePower, NO_POWER));
    if (correlation > best.correlation) best = { at: at - margin, correlation };
    power += (around[at + probe.length] ?? 0) ** 2 - around[at]! ** 2;
  }
  return best;
}

/** Each word with its middle, ms. A word's place is that of its phrase, shared by the letters. */
function wordsOf({ phrases }: Recording): { readonly word: string; readonly middle: number }[] {
  return phrases.flatMap(({ words, fromMs, toMs }) => {
    const each = (toMs - fromMs) / words.length;
    let letters = 0;
    return words.split(' ').map((word) => {
      const middle = fromMs + (letters + word.length / 2) * each;
      letters += word.length + 1;
      return { word, middle };
    });
  });
}

/**
 * @param middle of a word in the recording, ms.
 * @returns where that is in the upload, ms, perhaps before or behind it; null: nowhere.
 */
function placeOfWord(middle: number, { known: { sound }, from }: Place, upload: Float32Array): number | null {
  const expected = middle - from;
  const begin = Math.max(0, Math.round((middle * RATE) / 1_000 - WORD_SAMPLES / 2));
  const word = sound.subarray(begin, begin + WORD_SAMPLES);
  const lookFrom = Math.max(0, Math.round(((expected - MAX_SHIFT_MS) * RATE) / 1_000));
  const lookTo = Math.max(0, Math.round(((expected + MAX_SHIFT_MS) * RATE) / 1_000));
  const { at, correlation } = find(word, upload.subarray(lookFrom, lookTo));
  const found = middle + ((lookFrom + at - begin) * 1_000) / RATE;
  const least = MIN_OF_WORD[Math.abs(found - expected) <= NEAR_MS ? 'near' : 'far'];
  if (correlation >= least) return found;
  // A consonant, or a soft end, that encoders and filters have changed: exactly where it is expected, little is enough.
  const exact = Math.round((expected * RATE) / 1_000 - word.length / 2);
  const there = find(word, upload.subarray(Math.max(0, exact), Math.max(0, exact + word.length)));
  return there.correlation < MIN_OF_WORD.exact || Math.abs(there.at) > EXACT_SAMPLES ? null : expected;
}

/**
 * At the rate of the comparison, as the difference of each sample to the one before: Opus' high-pass, once at each of two
 * ends, shifts the low tones of a voice, which are its loudest, by so much that they no longer resemble themselves.
 */
export function comparable(pcm: Int16Array): Float32Array {
  let before = 0;
  return Float32Array.from({ length: Math.floor(pcm.length / DECIMATION) }, (_, i) => {
    const piece = pcm.subarray(i * DECIMATION, (i + 1) * DECIMATION);
    const sample = piece.reduce((sum, one) => sum + one, 0) / DECIMATION;
    const difference = sample - before;
    before = sample;
    return difference;
  });
}

/** @returns where they begin, the loudest one first. They do not overlap. A short sound has one. */
function loudestParts(sound: Float32Array): number[] {
  const parts: { at: number; power: number }[] = [{ at: 0, power: 0 }];
  for (let at = 0; at + PROBE_SAMPLES <= sound.length; at += RATE / 50)
    parts.push({ at, power: powerOf(sound.subarray(at, at + PROBE_SAMPLES)) });
  const loudest: number[] = [];
  for (const { at } of parts.toSorted((one, other) => other.power - one.power)) {
    if (loudest.length < PROBES && loudest.every((other) => Math.abs(other - at) >= PROBE_SAMPLES)) loudest.push(at);
  }
  return loudest;
}

function powerOf(sound: Float32Array): number {
  return sound.reduce((sum, sample) => sum + sample * sample, 0);
}
