import type { Viseme } from '../ports.ts';
import { FRAME_MS, FRAME_SAMPLES } from './audio-format.ts';
import type { MouthShape } from './coarticulation.ts';
import { SpeechBands, type SpeechWindow } from './speech-bands.ts';

/** Windows after the one being judged that are looked at: with the window itself 60 ms. */
const LOOK_AHEAD = 2;
/** Windows before it that count for a dip. */
const LOOK_BACK = 3;
/** This far below the loudest recent sound, or absolutely, nothing is said. */
const SILENT_BELOW_PEAK_DB = 32;
const SILENT_DB = -55;
/** How fast the loudest recent sound is forgotten, dB per window: 6 dB a second. */
const PEAK_DECAY_DB = 0.12;
const QUIETEST_PEAK_DB = -38;
/** A dip of this depth between two voiced parts is closed lips. */
const CLOSURE_DIP_DB = 12;
/** Windows of one shape that are announced together at most. */
const LONGEST_RUN = 3;

/**
 * The mouth of a voice that reports no phonemes, and of client-made speech: read from the sound itself, from loudness
 * and spectrum. Causal but for 60 ms of look-ahead, which the sound spends in the playback queue anyway.
 */
export class MouthFromAudio {
  readonly #bands = new SpeechBands();
  readonly #partial = new Int16Array(FRAME_SAMPLES);
  #partialLength = 0;
  #windows: SpeechWindow[] = [];
  /** Windows judged so far. */
  #judged = 0;
  #peakDb = QUIETEST_PEAK_DB;
  #run: { shape: Viseme; weight: number; start: number; length: number } | null = null;

  /** @param pcm 48 kHz, any length. @returns the shapes that are now certain, ms from the start of the stream. */
  add(pcm: Int16Array): MouthShape[] {
    const done: MouthShape[] = [];
    let at = 0;
    while (at < pcm.length) {
      const count = Math.min(FRAME_SAMPLES - this.#partialLength, pcm.length - at);
      this.#partial.set(pcm.subarray(at, at + count), this.#partialLength);
      this.#partialLength += count;
      at += count;
      if (this.#partialLength < FRAME_SAMPLES) break;
      this.#partialLength = 0;
      this.#window(this.#bands.measure(this.#partial), done);
    }
    return done;
  }

  /** The sound is over. */
  finish(): MouthShape[] {
    const done: MouthShape[] = [];
    const silence = { levelDb: -100, bands: [0, 0, 0, 0, 0] };
    for (let k = 0; k < LOOK_AHEAD; k += 1) this.#window(silence, done);
    this.#closeRun(done);
    return done;
  }

  #window(window: SpeechWindow, done: MouthShape[]): void {
    this.#windows.push(window);
    const index = this.#windows.length - 1 - LOOK_AHEAD;
    if (index < 0) return;
    const judged = this.#windows[index]!;
    this.#peakDb = Math.max(QUIETEST_PEAK_DB, this.#peakDb - PEAK_DECAY_DB, judged.levelDb);
    const before = this.#windows.slice(Math.max(0, index - LOOK_BACK), index);
    const after = this.#windows.slice(index + 1);
    this.#put(judgeWindow(judged, before, after, this.#peakDb), done);
    if (index >= LOOK_BACK) this.#windows.shift();
  }

  #put({ shape, weight }: { shape: Viseme; weight: number }, done: MouthShape[]): void {
    const position = this.#judged;
    this.#judged += 1;
    if (this.#run && this.#run.shape === shape && this.#run.length < LONGEST_RUN) {
      this.#run.weight = Math.max(this.#run.weight, weight);
      this.#run.length += 1;
      return;
    }
    this.#closeRun(done);
    this.#run = { shape, weight, start: position, length: 1 };
  }

  #closeRun(done: MouthShape[]): void {
    if (!this.#run) return;
    const { shape, weight, start, length } = this.#run;
    this.#run = null;
    done.push({ shape, weight, startMs: start * FRAME_MS, endMs: (start + length) * FRAME_MS });
  }
}

/** What the mouth does in one window. Pure. @param peakDb level of the loudest recent sound. */
export function judgeWindow(
  window: SpeechWindow,
  before: readonly SpeechWindow[],
  after: readonly SpeechWindow[],
  peakDb: number,
): { shape: Viseme; weight: number } {
  const floorDb = Math.max(SILENT_DB, peakDb - SILENT_BELOW_PEAK_DB);
  const loudest = (windows: readonly SpeechWindow[]) => Math.max(-100, ...windows.map(({ levelDb }) => levelDb));
  const rim = Math.min(loudest(before), loudest(after));
  if (rim > floorDb && window.levelDb < rim - CLOSURE_DIP_DB && !hisses(window)) return { shape: 'mbp', weight: 1 };
  if (window.levelDb < floorDb) return { shape: 'rest', weight: 1 };
  const strength = Math.min(1, (window.levelDb - floorDb) / (SILENT_BELOW_PEAK_DB - 8));
  if (hisses(window)) return { shape: window.bands[3]! > window.bands[4]! ? 'ch' : 'sz', weight: 0.8 };
  return { shape: vowel(window), weight: 0.25 + 0.75 * strength };
}

function hisses({ bands }: SpeechWindow): boolean {
  const [b1, b2, b3, b4, b5] = bands as [number, number, number, number, number];
  return b5 + b4 * 0.5 > b1 + b2 + b3;
}

/** The nearest vowel by the places of its first two formants. Higher bands are weaker in every voice: they count more. */
function vowel({ bands }: SpeechWindow): Viseme {
  const [low, open] = bands as [number, number, number, number, number];
  const middle = bands[2]! * 3;
  const front = bands[3]! * 6;
  if (open > low * 0.7) {
    if (middle > open * 1.2) return 'ae';
    return middle > open * 0.25 ? 'aa' : 'oh';
  }
  if (front > low * 0.35) return middle > front ? 'eh' : 'ih';
  return middle > low * 0.25 ? 'eh' : 'ou';
}
