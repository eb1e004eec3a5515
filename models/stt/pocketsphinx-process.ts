import { saveCompileCache } from '../../runtime/compile-cache.ts';
import { exitWithParent } from '../../runtime/exit-with-parent.ts';
import { systemTimers } from '../../runtime/clock.ts';
import { releaseMemoryWhenIdle } from '../../runtime/idle-memory.ts';
import { PROCESS_MEMORY } from '../../runtime/allocator.ts';
import { DecoderPool } from './decoder-pool.ts';
import { confidenceOf } from './pocketsphinx-confidence.ts';
import { loadPocketSphinx } from './pocketsphinx-library.ts';
import type { Decoder, DecoderMaker, Hypothesis } from './pocketsphinx-library.ts';
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
const MAX_WHOLE_SAMPLES = 128_000;

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

/** The utterances of all speakers, by their number. */
class Utterances {
  readonly #utterances = new Map<number, Utterance>();
  readonly #pool: DecoderPool;

  constructor(decoders: DecoderMaker) {
    this.#pool = new DecoderPool(decoders, options.maxDecoders, () => this.#serveWaiting());
  }

  get none(): boolean {
    return this.#utterances.size === 0;
  }

  /** Keeps what the next speaker needs at once. */
  keepOneDecoder(): void {
    this.#pool.keepOne();
  }

  write(id: number, pcm: Int16Array): void {
    let utterance = this.#utterances.get(id);
    if (utterance === undefined) this.#utterances.set(id, (utterance = open()));
    if (utterance.decoder !== null) return decode(id, utterance, pcm);
    if (utterance.waitingSamples + pcm.length > MAX_WAITING_SAMPLES) return;
    utterance.waiting.push(pcm);
    utterance.waitingSamples += pcm.length;
    this.#serveWaiting();
  }

  finish(id: number): void {
    const utterance = this.#utterances.get(id);
    if (utterance === undefined) return send({ type: 'final', utterance: id, text: '' });
    if (utterance.decoder === null) utterance.ending = 'finish';
    else void this.#close(id, utterance, 'final');
  }

  cancel(id: number): void {
    const utterance = this.#utterances.get(id);
    if (utterance !== undefined) void this.#close(id, utterance, 'none');
  }

  /** Gives free decoders to the utterances that wait, oldest first. */
  #serveWaiting(): void {
    for (const [id, utterance] of this.#utterances) {
      if (utterance.decoder !== null) continue;
      utterance.decoder = this.#pool.take();
      if (utterance.decoder === null) return;
      utterance.decoder.start();
      for (const pcm of utterance.waiting.splice(0)) decode(id, utterance, pcm);
      // Closing also gives the decoder to the next one.
      if (utterance.ending === 'finish') return void this.#close(id, utterance, 'final');
    }
  }

  async #close(id: number, utterance: Utterance, answer: 'final' | 'none'): Promise<void> {
    this.#utterances.delete(id);
    const { decoder } = utterance;
    decoder?.end();
    if (answer === 'final') await sendFinal(id, utterance);
    if (decoder !== null) this.#pool.put(decoder);
  }
}

function decode(id: number, utterance: Utterance, pcm: Int16Array): void {
  const decoder = utterance.decoder as Decoder;
  decoder.process(pcm);
  utterance.samples += pcm.length;
  if (utterance.samples <= MAX_WHOLE_SAMPLES) utterance.whole.push(pcm);
  else utterance.whole = [];
  utterance.sinceLook += pcm.length;
  if (utterance.sinceLook < PARTIAL_EVERY_SAMPLES) return;
  utterance.sinceLook = 0;
  const { text } = decoder.hypothesis();
  if (text === utterance.lastPartial) return;
  utterance.lastPartial = text;
  send({ type: 'partial', utterance: id, text, samples: utterance.samples });
}

async function sendFinal(id: number, utterance: Utterance): Promise<void> {
  const { decoder, samples } = utterance;
  const found = decoder === null ? null : await decodeAgain(decoder, utterance);
  const confidence = found !== null && found.text !== '' && { confidence: confidenceOf(found, samples) };
  send({ type: 'final', utterance: id, text: found?.text ?? '', ...confidence });
}

function serve(utterances: Utterances): void {
  process.on('message', (message: ToRecognition) => {
    if (message.type === 'write') return utterances.write(message.utterance, message.pcm);
    if (message.type === 'finish') return utterances.finish(message.utterance);
    // It decodes as the sound comes: silence is nothing to it.
    if (message.type !== 'voice') utterances.cancel(message.utterance);
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

exitWithParent();

try {
  const utterances = new Utterances(loadPocketSphinx(options.modelDir));
  serve(utterances);
  send({ type: 'ready' });
  saveCompileCache();
  releaseMemoryWhenIdle(() => utterances.none, systemTimers, {
    collect: PROCESS_MEMORY.collect,
    trim() {
      utterances.keepOneDecoder();
      PROCESS_MEMORY.trim();
    },
  });
} catch (error) {
  send({ type: 'unusable', message: error instanceof Error ? error.message : String(error) });
  process.disconnect?.();
  process.exitCode = 1;
}
