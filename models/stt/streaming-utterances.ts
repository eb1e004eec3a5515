import { toFloat } from '../sherpa/samples.ts';
import type { StreamingUtterance } from '../sherpa/sherpa-onnx.ts';
import { normalCasing } from './normal-casing.ts';

/**
 * Audio is decoded in chunks, and words are decided some frames later. A streaming zipformer needs about 0.8 s of
 * silence after the last word. It gets this silence at once, in milliseconds.
 */
const FLUSH = new Float32Array(0.8 * 16_000);
/** Longest utterance for the final pass, 20 s. Its time grows with the square of the length. */
const MAX_WHOLE_SAMPLES = 20 * 16_000;

export interface StreamingTools {
  newUtterance(): StreamingUtterance;
  /** The final pass; null: there is none. */
  readonly read: ((samples: Float32Array) => Promise<string>) | null;
  /** Language of a model that writes capitals only; null: its casing is normal. */
  readonly capitals: string | null;
  partial(utterance: number, text: string, samples: number): void;
  final(utterance: number, text: string): void;
}

interface Utterance {
  readonly streaming: StreamingUtterance;
  samples: number;
  /** Audio for the final pass; empty where it is too long for one. */
  whole: Float32Array[];
  words: string;
}

/** Partial words as the audio comes, and, if there is a model for it, the whole utterance again at its end. */
export class StreamingUtterances {
  readonly #tools: StreamingTools;
  readonly #utterances = new Map<number, Utterance>();
  /** One final pass at a time, because each uses the threads with which it was measured. */
  #finals: Promise<unknown> = Promise.resolve();

  constructor(tools: StreamingTools) {
    this.#tools = tools;
  }

  write(id: number, pcm: Int16Array): void {
    let utterance = this.#utterances.get(id);
    if (utterance === undefined) {
      utterance = { streaming: this.#tools.newUtterance(), samples: 0, whole: [], words: '' };
      this.#utterances.set(id, utterance);
    }
    const samples = toFloat(pcm);
    utterance.samples += samples.length;
    if (this.#tools.read === null || utterance.samples > MAX_WHOLE_SAMPLES) utterance.whole = [];
    else utterance.whole.push(samples);
    const words = this.#written(utterance.streaming.write(samples));
    if (words === utterance.words) return;
    utterance.words = words;
    this.#tools.partial(id, words, utterance.samples);
  }

  /** It decodes as the sound comes: silence is nothing to it. */
  setVoice(): void {}

  finish(id: number): void {
    const utterance = this.#utterances.get(id);
    this.#utterances.delete(id);
    if (utterance === undefined) return this.#tools.final(id, '');
    const words = this.#written(utterance.streaming.write(FLUSH));
    const { read } = this.#tools;
    // If the first model finds no words, the second one would invent some.
    if (read === null || utterance.whole.length === 0 || words === '') return this.#tools.final(id, words);
    const again = this.#finals.then(() => read(joined(utterance.whole)));
    this.#finals = again.catch(() => {});
    void again.then(
      (text) => this.#tools.final(id, text === '' ? words : text),
      () => this.#tools.final(id, words),
    );
  }

  drop(id: number): void {
    this.#utterances.delete(id);
  }

  #written(text: string): string {
    const { capitals } = this.#tools;
    return (capitals === null ? text : normalCasing(text, capitals)).trim();
  }
}

function joined(pieces: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
