import type { TimedUnit } from '../ports.ts';
import { textWords, type TextWord } from '../tts/word-timeline.ts';
import { letters } from './conversation-items.ts';
import { SPEECH_RATE } from './response-speech.ts';

const FRAME_MS = 20;
const FRAME_SAMPLES = (SPEECH_RATE * FRAME_MS) / 1000;
/** Quieter frames are pauses: about −44 dB. */
const QUIET_RMS = 200;
/** How long a letter sounds, without pauses, until the length of an answer is known: 14 letters a second. */
const LETTER_MS = 70;

/**
 * Places words in sound that has no times: each letter takes as long as the others, and pauses belong to no word. As long
 * as the sound arrives, a usual rate is assumed; then the true one is known.
 */
export class WordTimestamps {
  readonly #language: string;
  /** By frame, how many ms of voice there were by its end. */
  readonly #voiced: number[] = [];
  #rest = new Int16Array(0);
  #told = 0;

  /** @param language ISO 639-1: how words are divided. */
  constructor(language: string) {
    this.#language = language;
  }

  /** @param pcm 24 kHz: what comes next. */
  hear(pcm: Int16Array): void {
    const all = new Int16Array(this.#rest.length + pcm.length);
    all.set(this.#rest);
    all.set(pcm, this.#rest.length);
    let at = 0;
    for (; at + FRAME_SAMPLES <= all.length; at += FRAME_SAMPLES) {
      const before = this.#voiced.at(-1) ?? 0;
      this.#voiced.push(isQuiet(all.subarray(at, at + FRAME_SAMPLES)) ? before : before + FRAME_MS);
    }
    this.#rest = all.slice(at);
  }

  /** @returns the words whose sound is here by now, and that were not returned before. */
  next(text: string): TimedUnit[] {
    const heardMs = this.#voiced.at(-1) ?? 0;
    const words = textWords(text, this.#language);
    let weight = 0;
    const heard = words.filter((word) => (weight += weightOf(word.text)) * LETTER_MS <= heardMs);
    const here = this.#times(heard, LETTER_MS).slice(this.#told);
    this.#told += here.length;
    return here;
  }

  /** @returns all words: the sound and the text are whole. */
  all(text: string): TimedUnit[] {
    const words = textWords(text, this.#language);
    const weight = words.reduce((sum, word) => sum + weightOf(word.text), 0);
    const voicedMs = this.#voiced.at(-1) ?? 0;
    return weight === 0 ? [] : this.#times(words, voicedMs / weight);
  }

  #times(words: readonly TextWord[], letterMs: number): TimedUnit[] {
    let weight = 0;
    let frame = 0;
    return words.map(({ text }) => {
      const from = weight * letterMs;
      weight += weightOf(text);
      const to = weight * letterMs;
      while (frame < this.#voiced.length && this.#voiced[frame]! <= from) frame += 1;
      const startMs = from === 0 ? 0 : frame * FRAME_MS;
      while (frame < this.#voiced.length && this.#voiced[frame]! < to) frame += 1;
      return { text, startMs, endMs: (frame + 1) * FRAME_MS };
    });
  }
}

/** How many letters have a sound; a sign alone has one, too. */
function weightOf(word: string): number {
  return Math.max(1, letters(word).length);
}

function isQuiet(frame: Int16Array): boolean {
  let energy = 0;
  for (const sample of frame) energy += sample * sample;
  return energy < frame.length * QUIET_RMS ** 2;
}
