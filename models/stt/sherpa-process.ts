import { saveCompileCache } from '../../runtime/compile-cache.ts';
import { getPriority, setPriority } from 'node:os';
import { exitWithParent } from '../../runtime/exit-with-parent.ts';
import type { LocalRecognizer } from '../sherpa/local-model.ts';
import { loadFinalPass, loadStreaming } from '../sherpa/sherpa-onnx.ts';
import { retryOnLoop } from './incremental/retry-on-loop.ts';
import { UtteranceReader } from './incremental/utterance-reader.ts';
import type { FromRecognition, ToRecognition } from './recognition-messages.ts';
import { StreamingUtterances } from './streaming-utterances.ts';

/**
 * The process that recognizes speech with neural models: with a streaming one and, if there is one, a final pass; or
 * with one of whole utterances, which reads each of them again as it grows. All speakers share the models.
 */

/** Audio and video frames, which are due every 20 and 40 ms, go first. */
const NICENESS = 5;

function send(message: FromRecognition): void {
  // If the server has ended, the send fails. The event `disconnect` then ends this process.
  process.send?.(message, undefined, undefined, () => undefined);
}

const partial = (utterance: number, text: string, samples: number, place?: 'behind') =>
  send({ type: 'partial', utterance, text, samples, ...(place !== undefined && { place }) });
const final = (utterance: number, text: string, confidence: number | null = null) =>
  send({ type: 'final', utterance, text, ...(confidence !== null && { confidence }) });

setPriority(Math.max(NICENESS, getPriority()));
exitWithParent();

const utterances = utterancesOf(JSON.parse(process.argv[2] ?? '{}') as LocalRecognizer);

function utterancesOf({ language, streaming, finalPass }: LocalRecognizer): UtteranceReader | StreamingUtterances {
  const read = finalPass === null ? async () => '' : retryOnLoop(loadFinalPass(finalPass.engine, finalPass));
  if (streaming === null) return new UtteranceReader({ read, partial, final, now: () => performance.now() });
  return new StreamingUtterances({
    newUtterance: loadStreaming(streaming.engine, streaming),
    read: finalPass === null ? null : (samples) => read(samples, language),
    capitals: streaming.engine.capitals ? language : null,
    partial,
    final,
  });
}

process.on('message', (message: ToRecognition) => {
  if (message.type === 'write') utterances.write(message.utterance, message.pcm, message.language);
  else if (message.type === 'voice') utterances.setVoice(message.utterance, message.voice);
  else if (message.type === 'finish') utterances.finish(message.utterance);
  else utterances.drop(message.utterance);
});
send({ type: 'ready' });
saveCompileCache();
