import { getPriority, setPriority } from 'node:os';
import { endWithParent } from '../../runtime/end-with-parent.ts';
import { loadFinalPass, loadStreaming, type StreamingUtterance } from '../sherpa/sherpa-onnx.ts';
import type { LocalRecognizer } from '../sherpa/local-model.ts';
import { toFloat } from '../sherpa/samples.ts';
import { normalCasing } from './normal-casing.ts';
import type { FromRecognition, ToRecognition } from './recognition-messages.ts';

/**
 * The process that recognizes one language with neural models: partial words as the audio comes, and, if there is a
 * model for it, the whole utterance again at its end. Some languages have only a model of whole utterances. All speakers
 * share the models.
 */

/**
 * Audio is decoded in chunks, and words are decided some frames later. A streaming zipformer needs about 0.8 s of
 * silence after the last word. It gets this silence at once, in milliseconds.
 */
const FLUSH = new Float32Array(0.8 * 16_000);
/**
 * Longest utterance for the final pass, 20 s. Its time grows with the square of the length, and Whisper reads at most 30 s.
 */
const MOST_WHOLE_SAMPLES = 20 * 16_000;
/** Audio and video frames, which are due every 20 and 40 ms, go first. */
const NICENESS = 5;

interface Utterance {
  /** Null: only whole utterances are understood. */
  readonly streaming: StreamingUtterance | null;
  samples: number;
  /** Audio for the final pass, up to its limit. */
  whole: Float32Array[];
  wholeSamples: number;
  /** Words of earlier parts, if the utterance is too long for one final pass. */
  readonly parts: Promise<string>[];
  words: string;
}

const { language, streaming, finalPass } = JSON.parse(process.argv[2] ?? '{}') as LocalRecognizer;
const utterances = new Map<number, Utterance>();
/** One final pass at a time, because each uses the threads with which it was measured. */
let finals: Promise<unknown> = Promise.resolve();

function send(message: FromRecognition): void {
  // If the server has ended, the send fails. The event `disconnect` then ends this process.
  process.send?.(message, undefined, undefined, () => undefined);
}

setPriority(Math.max(NICENESS, getPriority()));
endWithParent();

const newUtterance = streaming === null ? null : loadStreaming(streaming.engine, streaming);
const understandWhole = finalPass === null ? null : loadFinalPass(finalPass.engine, finalPass, language);
const written = (text: string) => (streaming?.engine.capitals === true ? normalCasing(text, language) : text).trim();

function write(id: number, pcm: Int16Array): void {
  let utterance = utterances.get(id);
  if (utterance === undefined) {
    utterance = { streaming: newUtterance?.() ?? null, samples: 0, whole: [], wholeSamples: 0, parts: [], words: '' };
    utterances.set(id, utterance);
  }
  const samples = toFloat(pcm);
  utterance.samples += samples.length;
  keep(utterance, samples);
  if (utterance.streaming === null) return;
  const words = written(utterance.streaming.write(samples));
  if (words === utterance.words) return;
  utterance.words = words;
  send({ type: 'partial', utterance: id, text: words, samples: utterance.samples });
}

/** Keeps audio for the final pass. A long utterance is left to the streaming model; without one it is cut into parts. */
function keep(utterance: Utterance, samples: Float32Array): void {
  if (understandWhole === null || (utterance.streaming !== null && utterance.samples > MOST_WHOLE_SAMPLES)) {
    utterance.whole = [];
    return;
  }
  if (utterance.wholeSamples + samples.length > MOST_WHOLE_SAMPLES) understandPart(utterance);
  utterance.whole.push(samples);
  utterance.wholeSamples += samples.length;
}

function understandPart(utterance: Utterance): void {
  utterance.parts.push(understood(utterance.whole));
  utterance.whole = [];
  utterance.wholeSamples = 0;
}

function understood(pieces: readonly Float32Array[]): Promise<string> {
  const words = finals.then(() => understandWhole?.(joined(pieces)) ?? '');
  finals = words.catch(() => {});
  return words.then(
    (text) => text.trim(),
    () => '',
  );
}

function finish(id: number): void {
  const utterance = utterances.get(id);
  utterances.delete(id);
  if (utterance === undefined) return send({ type: 'final', utterance: id, text: '' });
  const words = utterance.streaming === null ? '' : written(utterance.streaming.write(FLUSH));
  // If the first model finds no words, the second one would invent some.
  if (utterance.whole.length === 0 || (utterance.streaming !== null && words === ''))
    return send({ type: 'final', utterance: id, text: words });
  understandPart(utterance);
  void Promise.all(utterance.parts).then((parts) => {
    const again = parts.filter((part) => part !== '').join(' ');
    send({ type: 'final', utterance: id, text: again === '' ? words : again });
  });
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

process.on('message', (message: ToRecognition) => {
  if (message.type === 'write') write(message.utterance, message.pcm);
  else if (message.type === 'finish') finish(message.utterance);
  else utterances.delete(message.utterance);
});
send({ type: 'ready' });
