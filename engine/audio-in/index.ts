import { Worker } from 'node:worker_threads';
import type { NoiseSettings } from '../../models/noise/open-noise-filters.ts';
import type { RecognizerSettings } from '../../models/stt/open-recognizer.ts';
import type { Logger } from '../log.ts';
import type { AudioIn, AudioInHandlers, AudioInStream } from '../ports.ts';
import type { FromAudioIn, AudioInEvent, AudioInWorkerData, ToAudioIn } from './messages.ts';

export { WINDOW_MS } from './receive/user-audio.ts';
export type { NoiseSettings } from '../../models/noise/open-noise-filters.ts';
export type { RecognizerSettings } from '../../models/stt/open-recognizer.ts';

export interface AudioInSettings {
  readonly recognizer: RecognizerSettings;
  /** @defaultValue `{ filter: 'rnnoise' }` */
  readonly noise?: NoiseSettings;
  /** Path of a smart-turn v3 model file. @defaultValue none */
  readonly endOfTurnModel?: string | null;
  readonly log: Logger;
}

export interface RunningAudioIn extends AudioIn {
  /** Resolves when the models are loaded. @throws when they cannot be: nothing can be heard then. */
  ready(): Promise<void>;
  /** For tests of what happens when it dies. */
  readonly workerForTesting: Worker | null;
}

/**
 * Time the worker has to read what is queued and to close its recognizers and models. Usually milliseconds; but ending a
 * thread that is inside the media library aborts the whole process, so a busy machine gets plenty.
 */
const SHUTDOWN_MS = 10_000;
/** More than an RTP packet can carry over any usual path. */
const MAX_PAYLOAD_BYTES = 1_500;

type AudioInWorker = { readonly thread: Worker; readonly ready: Promise<void>; readonly streams: Map<number, Stream> };

/**
 * Hears for all sessions of the process in one worker thread: Opus packets in, speech probability and words out. When
 * the thread dies its streams get `failed` once and the next `open` starts another.
 */
export function createAudioIn(settings: AudioInSettings): RunningAudioIn {
  const { log } = settings;
  const data: AudioInWorkerData = {
    recognizer: settings.recognizer,
    noise: settings.noise ?? { filter: 'rnnoise' },
    endOfTurnModel: settings.endOfTurnModel ?? null,
  };
  let life: 'open' | 'closed' = 'open';
  let nextSession = 1;
  let current: AudioInWorker | null = null;

  const start = (): AudioInWorker => {
    if (life === 'closed') throw new Error('Audio-in is closed.');
    const thread = new Worker(new URL('audio-in-worker.ts', import.meta.url), {
      workerData: data,
      execArgv: [],
      name: 'audio-in',
    });
    const streams = new Map<number, Stream>();
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
    // Whoever does not wait for it still learns of the failure by `failed`.
    ready.catch(() => undefined);
    const started: AudioInWorker = { thread, ready, streams };
    thread.on('message', (message: FromAudioIn) => {
      if (message.type === 'ready') return resolve();
      if (message.type === 'warning') return log.warn({ detail: message.detail }, message.message);
      for (const event of message.events) streams.get(event.session)?.receive(event);
    });
    thread.on('error', (error) => {
      log.error({ err: error }, 'The audio-in worker failed.');
      reject(error);
    });
    thread.once('exit', (code) => {
      reject(new Error(`The audio-in worker ended (${code}).`));
      if (current === started) current = null;
      for (const stream of streams.values()) stream.lost();
    });
    return started;
  };

  current = start();
  return {
    get workerForTesting() {
      return current?.thread ?? null;
    },
    ready: async () => (current ??= start()).ready,
    open({ language, enhancementLevel, handlers }) {
      const worker = (current ??= start());
      const session = nextSession++;
      const stream = new Stream(session, handlers, log, {
        send: (message) => worker.thread.postMessage(message),
        forget: () => worker.streams.delete(session),
      });
      worker.streams.set(session, stream);
      worker.thread.postMessage({
        type: 'open',
        session,
        language,
        enhancementLevel,
        wantsAudio: handlers.audio !== undefined,
      } satisfies ToAudioIn);
      return stream;
    },
    async close() {
      life = 'closed';
      const worker = current;
      current = null;
      if (worker === null) return;
      for (const stream of worker.streams.values()) stream.close();
      const ended = new Promise((resolve) => worker.thread.once('exit', resolve));
      worker.thread.postMessage({ type: 'shutdown' } satisfies ToAudioIn);
      const deadline = setTimeout(() => void worker.thread.terminate(), SHUTDOWN_MS);
      await ended;
      clearTimeout(deadline);
    },
  };
}

interface Link {
  send(message: ToAudioIn): void;
  forget(): void;
}

/** The main thread's end of one session. */
class Stream implements AudioInStream {
  readonly #session: number;
  readonly #handlers: AudioInHandlers;
  readonly #log: Logger;
  readonly #link: Link;
  #life: 'open' | 'lost' | 'closed' = 'open';
  #awaitedFinals = 0;
  #partial = '';

  constructor(session: number, handlers: AudioInHandlers, log: Logger, link: Link) {
    this.#session = session;
    this.#handlers = handlers;
    this.#log = log;
    this.#link = link;
  }

  packet(payload: Uint8Array, sequence: number, rtpTimestamp: number, arrivedAt: number): void {
    if (this.#life !== 'open' || payload.length === 0 || payload.length > MAX_PAYLOAD_BYTES) return;
    // A copy of its own: posting a view clones the whole buffer that it looks into.
    this.#link.send({
      type: 'packet',
      session: this.#session,
      payload: new Uint8Array(payload),
      sequence,
      rtpTimestamp,
      arrivedAt,
    });
  }

  finish(): void {
    if (this.#life === 'closed') return;
    this.#awaitedFinals++;
    if (this.#life === 'open') this.#link.send({ type: 'finish', session: this.#session });
    else setImmediate(() => this.#answerFinals());
  }

  reset(): void {
    this.#partial = '';
    this.#send('reset');
  }

  askEndOfTurn(): void {
    this.#send('askEndOfTurn');
  }

  configure(options: { language?: string | null; enhancementLevel?: number }): void {
    if (this.#life === 'open') this.#link.send({ type: 'configure', session: this.#session, ...options });
  }

  close(): void {
    if (this.#life === 'closed') return;
    this.#send('close');
    this.#life = 'closed';
    this.#link.forget();
  }

  receive(event: AudioInEvent): void {
    if (this.#life !== 'open') return;
    if (event.type === 'partial') this.#partial = event.text;
    if (event.type === 'final') {
      this.#partial = '';
      this.#awaitedFinals--;
    }
    this.#call(() => deliver(this.#handlers, event));
  }

  /** The worker died. What was asked of it is answered with the words known so far. */
  lost(): void {
    if (this.#life !== 'open') return;
    this.#life = 'lost';
    this.#link.forget();
    this.#answerFinals();
    this.#call(() => this.#handlers.failed('Audio-in was interrupted.'));
  }

  #send(type: 'reset' | 'askEndOfTurn' | 'close'): void {
    if (this.#life === 'open') this.#link.send({ type, session: this.#session });
  }

  #answerFinals(): void {
    while (this.#awaitedFinals > 0 && this.#life !== 'closed') {
      this.#awaitedFinals--;
      const text = this.#partial;
      this.#partial = '';
      this.#call(() => this.#handlers.final(text, null));
    }
  }

  /** One session's mistake must not silence the others. */
  #call(handler: () => void): void {
    try {
      handler();
    } catch (error) {
      this.#log.error({ err: error }, 'A session failed to take what was heard.');
    }
  }
}

function deliver(handlers: AudioInHandlers, event: AudioInEvent): void {
  switch (event.type) {
    case 'window':
      return handlers.window(event.probability, event.levelDb, event.endsAt, event.loudMs);
    case 'partial':
      return handlers.partial(event.text);
    case 'final':
      return handlers.final(event.text, event.language);
    case 'endOfTurn':
      return handlers.endOfTurn(event.probability);
    case 'failed':
      return handlers.failed(event.message);
    case 'enhancementUnavailable':
      return handlers.enhancementUnavailable();
    case 'audio':
      return handlers.audio?.(event.pcm, event.at);
  }
}
