import { getPriority, setPriority } from 'node:os';
import { loadFinalPass, loadStreaming, type StreamingUtterance } from '../sherpa/sherpa-onnx.ts';
import type { LocalRecognizer } from '../sherpa/local-model.ts';
import { toFloat } from '../sherpa/samples.ts';
import { normalCasing } from './normal-casing.ts';
import type { FromRecognition, ToRecognition } from './recognition-messages.ts';

/**
 * The process that understands one language with neural models: partial words as the sound comes, and the whole
 * utterance once more at its end where there is a model for that. Utterances of all speakers share the models.
 */

/**
 * Sound is decoded in chunks, and words are decided some frames later: a streaming zipformer needs about 0.8 s of
 * silence after the last word. It is given here at once, in milliseconds, instead of being waited for.
 */
const FLUSH = new Float32Array(0.8 * 16_000);
/** The final pass reads utterances up to here, 20 s: its cost grows with the square of the length. */
const MOST_WHOLE_SAMPLES = 20 * 16_000;
/** What is due every 20 ms goes first. */
const NICENESS = 5;

interface Utterance {
  readonly streaming: StreamingUtterance;
  samples: number;
  /** All of its sound, until there is too much of it. */
  whole: Float32Array[];
  words: string;
}

const { language, streaming, finalPass } = JSON.parse(process.argv[2] ?? '{}') as LocalRecognizer;
const utterances = new Map<number, Utterance>();
/** One whole utterance at a time: each takes the threads that it was measured with. */
let finals: Promise<void> = Promise.resolve();

function send(message: FromRecognition): void {
  // A server that is gone hears nothing; the event `disconnect` ends this process.
  process.send?.(message, undefined, undefined, () => undefined);
}

setPriority(Math.max(NICENESS, getPriority()));
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group; the server ends this process in its own time.
process.on('SIGINT', () => undefined);

const newUtterance = loadStreaming(streaming.engine, streaming);
const understandWhole = finalPass === null ? null : loadFinalPass(finalPass.engine, finalPass);
const written = (text: string) => (streaming.engine.capitals ? normalCasing(text, language) : text).trim();

function write(id: number, pcm: Int16Array): void {
  let utterance = utterances.get(id);
  if (utterance === undefined)
    utterances.set(id, (utterance = { streaming: newUtterance(), samples: 0, whole: [], words: '' }));
  const samples = toFloat(pcm);
  utterance.samples += samples.length;
  if (understandWhole !== null)
    if (utterance.samples <= MOST_WHOLE_SAMPLES) utterance.whole.push(samples);
    else utterance.whole = [];
  const words = written(utterance.streaming.write(samples));
  if (words === utterance.words) return;
  utterance.words = words;
  send({ type: 'partial', utterance: id, text: words, samples: utterance.samples });
}

function finish(id: number): void {
  const utterance = utterances.get(id);
  utterances.delete(id);
  if (utterance === undefined) return send({ type: 'final', utterance: id, text: '' });
  const words = written(utterance.streaming.write(FLUSH));
  // Where the first model hears nothing, the second one would invent something.
  if (understandWhole === null || words === '' || utterance.whole.length === 0)
    return send({ type: 'final', utterance: id, text: words });
  const { whole } = utterance;
  finals = finals.then(async () => {
    const again = (await understandWhole(joined(whole)).catch(() => '')).trim();
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
