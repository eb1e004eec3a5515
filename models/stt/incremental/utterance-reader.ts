import { toFloat } from '../../sherpa/samples.ts';
import { IncrementalUtterance, type Reading, type Shown } from './incremental-utterance.ts';

export interface ReaderTools {
  /** @param samples 16 kHz, -1…1. @returns the words. Two calls at a time, at most. */
  read(samples: Float32Array, language: string): Promise<string>;
  /** @param place `behind`: the last words are not read yet. */
  partial(utterance: number, text: string, samples: number, place?: 'behind'): void;
  /** @param confidence 0…1; null: not known. */
  final(utterance: number, text: string, confidence: number | null): void;
  /** ms */
  now(): number;
}

interface Begun {
  readonly id: number;
  readonly utterance: IncrementalUtterance;
  readonly reading: Reading;
}

/**
 * Decodes the utterances of all speakers with one model, one reading at a time: first those that somebody waits for,
 * then those that seem to be over, then those that grow. A reading cannot be stopped. Last words do not wait for a
 * reading that nobody waits for: they are read beside it. On one core, that takes no longer than one after the other.
 */
export class UtteranceReader {
  readonly #tools: ReaderTools;
  readonly #utterances = new Map<number, IncrementalUtterance>();
  readonly #reading = new Set<Begun>();
  /** What the newest reading took. */
  #readingMs = 0;

  constructor(tools: ReaderTools) {
    this.#tools = tools;
  }

  write(id: number, pcm: Int16Array, language: string): void {
    let utterance = this.#utterances.get(id);
    if (utterance === undefined) this.#utterances.set(id, (utterance = new IncrementalUtterance(language)));
    utterance.write(toFloat(pcm));
    this.#readNext();
  }

  setVoice(id: number, voice: 'on' | 'off'): void {
    const utterance = this.#utterances.get(id);
    if (utterance === undefined) return;
    this.#show(id, utterance, utterance.setVoice(voice));
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
    const begun = this.#next();
    if (begun === null || !this.#mayBegin(begun)) return;
    const { id, utterance, reading } = begun;
    this.#reading.add(begun);
    utterance.began(reading);
    const began = this.#tools.now();
    void this.#tools
      .read(joined(reading), utterance.language)
      .catch(() => '')
      .then((text) => {
        this.#reading.delete(begun);
        this.#readingMs = this.#tools.now() - began;
        if (this.#utterances.get(id) === utterance) {
          this.#show(id, utterance, utterance.took(reading, text));
          this.#answer(id, utterance);
        }
        this.#readNext();
      });
  }

  #mayBegin({ reading }: Begun): boolean {
    const [first, ...others] = this.#reading;
    if (first === undefined) return true;
    return others.length === 0 && reading.kind !== 'middle' && !this.#isNeeded(first);
  }

  #isNeeded({ id, utterance, reading }: Begun): boolean {
    return this.#utterances.get(id) === utterance && utterance.needs(reading);
  }

  #show(id: number, utterance: IncrementalUtterance, shown: Shown | null): void {
    if (shown === null || utterance.isFinished) return;
    this.#tools.partial(id, shown.text, utterance.total, shown.isBehind ? 'behind' : undefined);
  }

  #answer(id: number, utterance: IncrementalUtterance): void {
    const final = utterance.final();
    if (final === null) return;
    this.#utterances.delete(id);
    this.#tools.final(id, final.text, final.confidence);
  }

  #next(): Begun | null {
    const due = [...this.#utterances].flatMap(([id, utterance]) => {
      const reading = utterance.next(this.#utterances.size - 1, this.#readingMs);
      return reading === null ? [] : [{ id, utterance, reading }];
    });
    due.sort((a, b) => urgency(a) - urgency(b) || b.utterance.unread - a.utterance.unread);
    return due[0] ?? null;
  }
}

function urgency({ utterance, reading }: { utterance: IncrementalUtterance; reading: Reading }): number {
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
