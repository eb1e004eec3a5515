import type { SynthesisChunk, TimedUnit } from '../ports.ts';
import { estimateWords } from './estimated-words.ts';
import { textWords, type TextWord } from './word-timeline.ts';

/** Length of a character of speech before the pace is known: 150 words a minute, 6 characters a word. */
const USUAL_MS_PER_CHARACTER = 65;

/**
 * How much of a sentence was said, when several voices may say it one after the other. All times count from its start.
 */
export class SentenceProgress {
  readonly #text: string;
  readonly #language: string;
  readonly #textWords: readonly TextWord[];
  /** Length of the audio so far, and its length when the present voice began. */
  #soundMs = 0;
  #voiceFromMs = 0;
  /** Place in the text behind the last word that was passed on, and behind the last word that a voice reported. */
  #saidTo = 0;
  #reportedTo = 0;
  /** Words of the present voice that are not heard yet. */
  #words: { readonly word: TimedUnit; readonly end: number }[] = [];
  #phonemes: TimedUnit[] = [];
  #timed: 'no' | 'by the voice' = 'no';

  constructor(text: string, language: string) {
    this.#text = text;
    this.#language = language;
    this.#textWords = textWords(text, language);
  }

  /** Length of the present voice's audio. */
  get voiceMs(): number {
    return this.#soundMs - this.#voiceFromMs;
  }

  /** What is still to be said; empty when nothing is. */
  get rest(): string {
    return this.#text.slice(this.#saidTo).trim();
  }

  /**
   * @param isLast whether this is the last voice that can say the sentence.
   * @returns the chunk, with times from the start of the sentence. If another voice may continue, a word is passed on
   * when half of it was heard: it is then not said again.
   */
  take({ pcm, sampleRate, words, phonemes }: SynthesisChunk, isLast: boolean): SynthesisChunk {
    this.#soundMs += (pcm.length / sampleRate) * 1_000;
    if (words !== undefined) this.#report(words);
    for (const unit of phonemes ?? []) this.#phonemes.push(this.#shifted(unit));
    const isHeard = ({ startMs, endMs }: TimedUnit): boolean => isLast || (startMs + endMs) / 2 < this.#soundMs;
    return { pcm, sampleRate, ...this.#release(isHeard, words !== undefined) };
  }

  /** The present voice has ended. @returns the rest of its times. */
  finish(sampleRate: number): SynthesisChunk {
    return { pcm: new Int16Array(0), sampleRate, ...this.#release(() => true, true) };
  }

  /**
   * The present voice broke off. If it gave no times, its words are estimated by its pace.
   * @param msPerCharacter of this voice, if known. @returns the times of what it said.
   */
  breakOff(sampleRate: number, msPerCharacter: number | null): SynthesisChunk {
    const left = this.rest;
    if (this.#timed === 'no' && this.voiceMs > 0)
      this.#report(
        estimateWords(left, this.#language, charactersOf(left) * (msPerCharacter ?? USUAL_MS_PER_CHARACTER)),
      );
    const heard = this.#release(({ startMs, endMs }) => (startMs + endMs) / 2 < this.#soundMs, true);
    this.#words = [];
    this.#phonemes = [];
    this.#reportedTo = this.#saidTo;
    this.#voiceFromMs = this.#soundMs;
    this.#timed = 'no';
    return { pcm: new Int16Array(0), sampleRate, ...heard };
  }

  #report(words: readonly TimedUnit[]): void {
    if (words.length > 0) this.#timed = 'by the voice';
    for (const word of words) {
      const found = this.#text.indexOf(word.text, this.#reportedTo);
      this.#reportedTo = this.#endOfWord(found < 0 ? this.#reportedTo : found + word.text.length - 1);
      this.#words.push({ word: this.#shifted(word), end: this.#reportedTo });
    }
  }

  /** @returns the end of the word at this place, or of the next one. A voice may spell the word in its own way. */
  #endOfWord(place: number): number {
    return this.#textWords.find(({ end }) => end > place)?.end ?? this.#text.length;
  }

  #shifted({ text, startMs, endMs }: TimedUnit): TimedUnit {
    return { text, startMs: startMs + this.#voiceFromMs, endMs: endMs + this.#voiceFromMs };
  }

  #release(isDue: (unit: TimedUnit) => boolean, reportsWords: boolean): Pick<SynthesisChunk, 'words' | 'phonemes'> {
    const words: TimedUnit[] = [];
    while (this.#words[0] !== undefined && isDue(this.#words[0].word)) {
      const { word, end } = this.#words.shift()!;
      words.push(word);
      this.#saidTo = end;
    }
    const due = this.#phonemes.findIndex((phoneme) => !isDue(phoneme));
    const phonemes = this.#phonemes.splice(0, due < 0 ? this.#phonemes.length : due);
    return { ...((reportsWords || words.length > 0) && { words }), ...(phonemes.length > 0 && { phonemes }) };
  }
}

/** Counts like `estimateWords`: with the gap after each word. */
export function charactersOf(text: string): number {
  return text.replaceAll(/\s+/gu, ' ').trim().length + 1;
}
