import { toFloat } from '../../sherpa/samples.ts';
import { GrowingUtterance, type Reading } from './growing-utterance.ts';

export interface ReaderTools {
  /** @param samples 16 kHz, -1…1. @returns the words. One call at a time. */
  read(samples: Float32Array, language: string): Promise<string>;
  partial(utterance: number, text: string, samples: number): void;
  /** @param confidence 0…1; null: not known. */
  final(utterance: number, text: string, confidence: number | null): void;
  /** ms */
  now(): number;
}

/**
 * Reads the utterances of all speakers with one model, one reading at a time: first those that somebody waits for, then
 * those that seem to be over, then those that grow.
 */
export class UtteranceReader {
  readonly #tools: ReaderTools;
  readonly #utterances = new Map<number, GrowingUtterance>();
  #state: 'free' | 'reading' = 'free';
  /** What the newest reading took. */
  #readingMs = 0;

  constructor(tools: ReaderTools) {
    this.#tools = tools;
  }

  write(id: number, pcm: Int16Array, language: string): void {
    let utterance = this.#utterances.get(id);
    if (utterance === undefined) this.#utterances.set(id, (utterance = new GrowingUtterance(language)));
    utterance.write(toFloat(pcm));
    this.#readNext();
  }

  setVoice(id: number, voice: 'on' | 'off'): void {
    this.#utterances.get(id)?.setVoice(voice);
    this.#readNext();
  }

  finish(id: number): void {
    const utterance = this.#utterances.get(id);
    if (utterance === undefined) return this.#tools.final(id, '', null);
    utterance.finish();
    this.#answer(id, utterance);
    this.#readNext();
  }

  drop(id: number): void {
    this.#utterances.delete(id);
  }

  #readNext(): void {
    if (this.#state === 'reading') return;
    const next = this.#next();
    if (next === null) return;
    const { id, utterance, reading } = next;
    this.#state = 'reading';
    utterance.began(reading);
    const began = this.#tools.now();
    void this.#tools
      .read(joined(reading), utterance.language)
      .catch(() => '')
      .then((text) => {
        this.#state = 'free';
        this.#readingMs = this.#tools.now() - began;
        if (this.#utterances.get(id) === utterance) {
          const shown = utterance.took(reading, text);
          if (shown !== null && !utterance.isFinished) this.#tools.partial(id, shown, utterance.total);
          this.#answer(id, utterance);
        }
        this.#readNext();
      });
  }

  #answer(id: number, utterance: GrowingUtterance): void {
    const final = utterance.final();
    if (final === null) return;
    this.#utterances.delete(id);
    this.#tools.final(id, final.text, final.confidence);
  }

  #next(): { id: number; utterance: GrowingUtterance; reading: Reading } | null {
    const due = [...this.#utterances].flatMap(([id, utterance]) => {
      const reading = utterance.next(this.#utterances.size - 1, this.#readingMs);
      return reading === null ? [] : [{ id, utterance, reading }];
    });
    due.sort((a, b) => urgency(a) - urgency(b) || b.utterance.unread - a.utterance.unread);
    return due[0] ?? null;
  }
}

function urgency({ utterance, reading }: { utterance: GrowingUtterance; reading: Reading }): number {
  if (utterance.isFinished) return 0;
  return reading.kind === 'middle' ? 2 : 1;
}

function joined({ pieces, samples }: Reading): Float32Array {
  const all = new Float32Array(samples);
  let at = 0;
  for (const piece of pieces) {
    if (at + piece.length > samples) break;
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
