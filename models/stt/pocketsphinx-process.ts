import { endWithParent } from '../../runtime/end-with-parent.ts';
import { confidenceOf } from './pocketsphinx-confidence.ts';
import { loadPocketSphinx } from './pocketsphinx-library.ts';
import type { Decoder, Hypothesis } from './pocketsphinx-library.ts';
import type { PocketSphinxProcessOptions } from './pocketsphinx.ts';
import type { FromRecognition, ToRecognition } from './recognition-messages.ts';

/**
 * The recognition process. It gets utterances over the IPC channel, and decodes them one message at a time. An
 * utterance has a decoder from its first audio to its end. While all decoders are in use, its audio waits here.
 */

/** How often new text is requested: every 100 ms of audio. */
const PARTIAL_EVERY_SAMPLES = 1_600;
/** Most audio of one utterance that waits for a decoder: 60 s. */
const MAX_WAITING_SAMPLES = 960_000;

/**
 * Longest utterance that is decoded again as a whole: 8 s take about 2 s. On people's recordings this halves the wrong
 * words of short utterances. Longer ones with long pauses get worse (`bench/recognition.ts`).
 */
const MOST_WHOLE_SAMPLES = 128_000;

interface Utterance {
  decoder: Decoder | null;
  readonly waiting: Int16Array[];
  waitingSamples: number;
  samples: number;
  /** All audio of the utterance, up to that length. */
  whole: Int16Array[];
  sinceLook: number;
  lastPartial: string;
  ending: 'open' | 'finish';
}

const options = JSON.parse(process.argv[2] ?? '{}') as PocketSphinxProcessOptions;
const utterances = new Map<number, Utterance>();
const free: Decoder[] = [];
let made = 0;

function send(message: FromRecognition): void {
  // If the server has ended, the send fails. The event `disconnect` then ends this process.
  process.send?.(message, undefined, undefined, () => undefined);
}

function open(): Utterance {
  return {
    decoder: null,
    waiting: [],
    waitingSamples: 0,
    samples: 0,
    whole: [],
    sinceLook: 0,
    lastPartial: '',
    ending: 'open',
  };
}

function run(createDecoder: () => Decoder): void {
  const takeDecoder = (): Decoder | null => {
    const decoder = free.pop();
    if (decoder !== undefined) return decoder;
    if (made >= options.maxDecoders) return null;
    made++;
    return createDecoder();
  };

  const decode = (id: number, utterance: Utterance, pcm: Int16Array): void => {
    const decoder = utterance.decoder as Decoder;
    decoder.process(pcm);
    utterance.samples += pcm.length;
    if (utterance.samples <= MOST_WHOLE_SAMPLES) utterance.whole.push(pcm);
    else utterance.whole = [];
    utterance.sinceLook += pcm.length;
    if (utterance.sinceLook < PARTIAL_EVERY_SAMPLES) return;
    utterance.sinceLook = 0;
    const { text } = decoder.hypothesis();
    if (text === utterance.lastPartial) return;
    utterance.lastPartial = text;
    send({ type: 'partial', utterance: id, text, samples: utterance.samples });
  };

  const close = (id: number, utterance: Utterance, answer: 'final' | 'none'): void => {
    utterances.delete(id);
    const { decoder } = utterance;
    decoder?.end();
    void (async () => {
      if (answer === 'final') {
        const found = decoder === null ? null : await decodeAgain(decoder, utterance);
        send({
          type: 'final',
          utterance: id,
          text: found?.text ?? '',
          ...(found !== null && found.text !== '' && { confidence: confidenceOf(found, utterance.samples) }),
        });
      }
      if (decoder !== null) free.push(decoder);
      serveWaiting();
    })();
  };

  /** Gives free decoders to the utterances that wait, oldest first. */
  const serveWaiting = (): void => {
    for (const [id, utterance] of utterances) {
      if (utterance.decoder !== null) continue;
      utterance.decoder = takeDecoder();
      if (utterance.decoder === null) return;
      utterance.decoder.start();
      for (const pcm of utterance.waiting.splice(0)) decode(id, utterance, pcm);
      // Closing also gives the decoder to the next one.
      if (utterance.ending === 'finish') return close(id, utterance, 'final');
    }
  };

  const write = (id: number, pcm: Int16Array): void => {
    let utterance = utterances.get(id);
    if (utterance === undefined) utterances.set(id, (utterance = open()));
    if (utterance.decoder !== null) return decode(id, utterance, pcm);
    if (utterance.waitingSamples + pcm.length > MAX_WAITING_SAMPLES) return;
    utterance.waiting.push(pcm);
    utterance.waitingSamples += pcm.length;
    serveWaiting();
  };

  const finish = (id: number): void => {
    const utterance = utterances.get(id);
    if (utterance === undefined) return send({ type: 'final', utterance: id, text: '' });
    if (utterance.decoder === null) utterance.ending = 'finish';
    else close(id, utterance, 'final');
  };

  process.on('message', (message: ToRecognition) => {
    if (message.type === 'write') return write(message.utterance, message.pcm);
    if (message.type === 'finish') return finish(message.utterance);
    // It decodes as the sound comes: silence is nothing to it.
    if (message.type === 'voice') return;
    const utterance = utterances.get(message.utterance);
    if (utterance !== undefined) close(message.utterance, utterance, 'none');
  });
}

/** Decoding a whole utterance takes a core. One at a time, so that the words of other speakers are not late. */
let wholeDecoding: 'free' | 'busy' = 'free';

/** @returns the better result of the streaming and of the whole pass. */
async function decodeAgain(decoder: Decoder, { whole }: Utterance): Promise<Hypothesis> {
  const streamed = decoder.hypothesis();
  if (streamed.text === '' || whole.length === 0 || wholeDecoding === 'busy') return streamed;
  wholeDecoding = 'busy';
  const pcm = new Int16Array(whole.reduce((sum, piece) => sum + piece.length, 0));
  whole.reduce((at, piece) => (pcm.set(piece, at), at + piece.length), 0);
  await decoder.decodeWhole(pcm);
  wholeDecoding = 'free';
  const again = decoder.hypothesis();
  // A result without words has no score.
  return again.text !== '' && again.score > streamed.score ? again : streamed;
}

endWithParent();

try {
  const createDecoder = loadPocketSphinx(options.modelDir);
  free.push(createDecoder());
  made = 1;
  run(createDecoder);
  send({ type: 'ready' });
  // Making a decoder blocks all speakers for half a second. So the second speaker's is made while nobody speaks.
  if (made < options.maxDecoders) {
    free.push(createDecoder());
    made++;
  }
} catch (error) {
  send({ type: 'unusable', message: error instanceof Error ? error.message : String(error) });
  process.disconnect?.();
  process.exitCode = 1;
}
