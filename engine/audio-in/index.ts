import { Worker } from 'node:worker_threads';
import type { NoiseSettings } from '../../models/noise/open-noise-filters.ts';
import type { RecognizerChoice } from '../../models/stt/registry.ts';
import type { Logger } from '../log.ts';
import { RestartBudget } from '../../runtime/restart-budget.ts';
import { engineNow } from '../clock.ts';
import type { AudioIn } from '../ports.ts';
import { SessionAudioInStream } from './audio-in-stream.ts';
import type { FromAudioIn, AudioInWorkerData, ToAudioIn } from './messages.ts';

export type { NoiseSettings } from '../../models/noise/open-noise-filters.ts';

export interface AudioInSettings {
  /** The preferred one first; at least one. */
  readonly recognizers: readonly RecognizerChoice[];
  /** Names and terms that may be said. @defaultValue none */
  readonly keyTerms?: readonly string[];
  /** Folder of model files. @defaultValue `models` in the working directory */
  readonly modelsDir?: string;
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
/** A worker that keeps dying is started again this seldom: by then its cause may be gone. */
const LONG_REST_MS = 30_000;

type AudioInWorker = { readonly thread: Worker; readonly ready: Promise<void> };

/**
 * Hears for all sessions of the process in one worker thread: Opus packets in, speech probability and words out. When
 * the thread dies its streams get `failed` once, another thread is started, and they are heard again.
 */
export function createAudioIn(settings: AudioInSettings): RunningAudioIn {
  const { log } = settings;
  const data: AudioInWorkerData = {
    recognizers: settings.recognizers,
    keyTerms: settings.keyTerms ?? [],
    modelsDir: settings.modelsDir ?? 'models',
    noise: settings.noise ?? { filter: 'rnnoise' },
    endOfTurnModel: settings.endOfTurnModel ?? null,
  };
  let life: 'open' | 'closed' = 'open';
  let nextSession = 1;
  let current: AudioInWorker | null = null;
  const streams = new Map<number, SessionAudioInStream>();
  const budget = new RestartBudget();
  let restart: NodeJS.Timeout | null = null;

  const start = (): AudioInWorker => {
    if (life === 'closed') throw new Error('Audio-in is closed.');
    const thread = new Worker(new URL('audio-in-worker.ts', import.meta.url), {
      workerData: data,
      execArgv: [],
      name: 'audio-in',
    });
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
    // Whoever does not wait for it still learns of the failure by `failed`.
    ready.catch(() => undefined);
    const started: AudioInWorker = { thread, ready };
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
      if (current !== started) return;
      current = null;
      for (const stream of streams.values()) stream.interrupted();
      const rest = budget.died(engineNow()) ?? LONG_REST_MS;
      log.warn({ sessions: streams.size, restMs: rest }, 'audio-in was interrupted; another worker takes over');
      restart = setTimeout(() => void (current ??= start()), rest);
    });
    for (const stream of streams.values()) stream.attach((message) => thread.postMessage(message));
    return started;
  };

  current = start();
  return {
    get workerForTesting() {
      return current?.thread ?? null;
    },
    ready: async () => (current ??= start()).ready,
    open({ language, enhancementLevel, handlers }) {
      const { thread } = (current ??= start());
      const session = nextSession++;
      const stream = new SessionAudioInStream(session, { language, enhancementLevel }, handlers, log, () =>
        streams.delete(session),
      );
      streams.set(session, stream);
      stream.attach((message) => thread.postMessage(message));
      return stream;
    },
    async close() {
      life = 'closed';
      const worker = current;
      current = null;
      if (restart !== null) clearTimeout(restart);
      for (const stream of streams.values()) stream.close();
      if (worker === null) return;
      const ended = new Promise((resolve) => worker.thread.once('exit', resolve));
      worker.thread.postMessage({ type: 'shutdown' } satisfies ToAudioIn);
      const deadline = setTimeout(() => void worker.thread.terminate(), SHUTDOWN_MS);
      await ended;
      clearTimeout(deadline);
    },
  };
}
