import type { Viseme } from '../../ports.ts';
import { FRAME_MS, FRAME_SAMPLES } from '../../media/audio-format.ts';
import type { MouthShape } from './coarticulation.ts';
import { SpeechBands, type SpeechWindow } from './speech-bands.ts';

/** How many windows are examined after the one being judged: with the window itself 60 ms. */
const LOOK_AHEAD = 2;
/** How many windows before it count for a dip. */
const LOOK_BACK = 3;
/** Sound this far below the loudest recent audio, or below the absolute level, is not speech. */
const SILENT_BELOW_PEAK_DB = 32;
const SILENT_DB = -55;
/** How fast the peak of recent audio decays, dB per window: 6 dB a second. */
const PEAK_DECAY_DB = 0.12;
const QUIETEST_PEAK_DB = -38;
/** A dip of this depth between two voiced parts is closed lips. */
const CLOSURE_DIP_DB = 12;
/**
 * The sound of a closed mouth (m, n, ng, the voice inside a b): all of its energy is in the lowest band. Limits against
 * that band, dB, from three recorded voices: m and n −19/−30/−35 in the median, the nearest vowels 'uw' −15/−24/−26 and
 * 'w' −13/−27/−38.
 */
const MURMUR = { jaw: -16, middle: -26.5, front: -29 };
/** Pressed lips let less sound out than a nose: m and n are 2 dB below the sound around them, b 14. */
const PRESSED_DB = 8;
/** An m and an n sound alike. Slightly parted lips are wrong for neither. */
const MURMUR_WEIGHT = 0.3;

/**
 * The mouth for a voice that reports no phonemes, and for client-made speech. It is derived from the loudness and
 * spectrum of the sound. Causal, except for 60 ms of look-ahead, which the sound spends in the playback queue anyway.
 */
export class MouthFromAudio {
  readonly #bands = new SpeechBands();
  readonly #partial = new Int16Array(FRAME_SAMPLES);
  #partialLength = 0;
  #windows: SpeechWindow[] = [];
  /** Windows judged so far. */
  #judged = 0;
  #peakDb = QUIETEST_PEAK_DB;

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
    const { shape, weight } = judgeWindow(judged, before, after, this.#peakDb);
    const startMs = this.#judged * FRAME_MS;
    this.#judged += 1;
    const previous = done.at(-1);
    if (previous?.shape === shape)
      done[done.length - 1] = { ...previous, weight: Math.max(previous.weight, weight), endMs: startMs + FRAME_MS };
    else done.push({ shape, weight, startMs, endMs: startMs + FRAME_MS });
    if (index >= LOOK_BACK) this.#windows.shift();
  }
}

/** What the mouth does in one window. Pure. @param peakDb level of the loudest recent audio. */
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
  if (murmurs(window)) {
    const around = Math.max(loudest(before), loudest(after));
    return window.levelDb < around - PRESSED_DB ? { shape: 'mbp', weight: 1 } : { shape: 'n', weight: MURMUR_WEIGHT };
  }
  if (hisses(window)) return { shape: window.bands[3]! > window.bands[4]! ? 'ch' : 'sz', weight: 0.8 };
  return { shape: vowel(window), weight: 0.25 + 0.75 * strength };
}

function hisses({ bands }: SpeechWindow): boolean {
  const [b1, b2, b3, b4, b5] = bands as [number, number, number, number, number];
  return b5 + b4 * 0.5 > b1 + b2 + b3;
}

function murmurs({ bands }: SpeechWindow): boolean {
  const [low, jaw, middle, front] = bands as [number, number, number, number, number];
  const below = (band: number, limit: number) => 10 * Math.log10((band + 1e-12) / (low + 1e-12)) < limit;
  return below(jaw, MURMUR.jaw) && below(middle, MURMUR.middle) && below(front, MURMUR.front);
}

/**
 * The nearest vowel. Limits are dB against the lowest band and lie between the means of the vowels of three recorded
 * voices (two men, one woman): e.g. 'aa' −3…+3 in the second band, 'iy' −19…−14; 'iy' −20…−15 in the fourth, 'uw' below
 * −25.
 */
function vowel({ bands }: SpeechWindow): Viseme {
  const [low, jaw, middle, front] = bands as [number, number, number, number, number];
  const against = (band: number) => 10 * Math.log10((band + 1e-12) / (low + 1e-12));
  if (against(jaw) > -8) {
    if (against(front) > -18) return against(middle) > -11 ? 'ae' : 'eh';
    return against(middle) > -13 ? 'aa' : 'oh';
  }
  if (against(front) > -24 && front > middle * 0.8) return 'ih';
  return against(middle) > -18 ? 'eh' : 'ou';
}
