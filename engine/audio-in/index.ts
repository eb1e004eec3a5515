import { setTimeout as pause } from 'node:timers/promises';
import type { LatencyTable } from '../../models/latency-table.ts';
import type { LocalRecognizer } from '../../models/sherpa/local-model.ts';
import { NOISE_FILTERS, type NoiseSettings } from '../../models/noise/registry.ts';
import type { RecognizerChoice } from '../../models/stt/registry.ts';
import type { Logger } from '../../runtime/log.ts';
import { inThread } from '../../runtime/in-thread.ts';
import { SupervisedWorker } from '../../runtime/supervised-worker.ts';
import type { AudioIn } from '../ports.ts';
import { SessionAudioInStream, type AudioInLink } from './audio-in-stream.ts';
import type { FromAudioIn, AudioInWorkerData, ToAudioIn } from './messages.ts';
import { PacketBatch } from './receive/packet-batch.ts';

export type { NoiseSettings } from '../../models/noise/registry.ts';

export interface AudioInSettings {
  /** At least one, the preferred one first. */
  readonly recognizers: readonly RecognizerChoice[];
  /** Key terms of the deployment. @defaultValue none */
  readonly keyTerms?: readonly string[];
  /** Folder of model files. @defaultValue `models` in the working directory */
  readonly modelsDir?: string;
  /** Neural models that are installed. @defaultValue none */
  readonly localRecognizers?: readonly LocalRecognizer[];
  /** @defaultValue the first of the registry */
  readonly noise?: NoiseSettings;
  /** Path of a smart-turn v3 model file. @defaultValue none */
  readonly endOfTurnModel?: string | null;
  /** Gets the times to first words and finals. @defaultValue they are not measured */
  readonly latencies?: LatencyTable;
  readonly log: Logger;
}

export interface RunningAudioIn extends AudioIn {
  /** Resolves when the models are loaded. @throws when they cannot be loaded: then sessions hear nothing. */
  ready(): Promise<void>;
  /** ISO 639-1 codes that the recognizers understand, from `ready` on. */
  readonly languages: readonly string[] | 'any';
  /** Ends the worker, as if it had died. */
  killForTesting(): void;
}

/**
 * Time for the worker to close its recognizers and models. It usually takes milliseconds. The limit is long, because
 * ending a thread that is inside the media library aborts the whole process.
 */
const SHUTDOWN_MS = 10_000;
/** Time between two starts of a worker that keeps dying. The cause may be gone by then. */
const LONG_REST_MS = 30_000;

/** A session does not wait longer for its recognizer: what is said is kept, and understood later. */
const RECOGNIZING_WITHIN_MS = 15_000;

/** Enough to load recognizers of several hundred MB from a slow disk. */
const READY_WITHIN_MS = 180_000;

/**
 * Audio-in of all sessions, in one worker thread: Opus packets in, speech probability and words out. If the thread
 * dies, each stream gets `failed` once, and continues with the next thread.
 */
export function createAudioIn(settings: AudioInSettings): RunningAudioIn {
  const { log } = settings;
  const workerData: AudioInWorkerData = {
    recognizers: settings.recognizers,
    keyTerms: settings.keyTerms ?? [],
    modelsDir: settings.modelsDir ?? 'models',
    localRecognizers: settings.localRecognizers ?? [],
    noise: settings.noise ?? { filter: NOISE_FILTERS[0]!.id, modelsDir: settings.modelsDir ?? 'models' },
    endOfTurnModel: settings.endOfTurnModel ?? null,
  };
  let life: 'open' | 'closed' = 'open';
  let nextSession = 1;
  let languages: readonly string[] | 'any' = 'any';
  const streams = new Map<number, SessionAudioInStream>();
  const recognizes = Promise.withResolvers<void>();
  const worker = new SupervisedWorker<ToAudioIn, FromAudioIn>({
    name: 'The audio-in worker',
    start: 'at once',
    longRestMs: LONG_REST_MS,
    readyWithinMs: READY_WITHIN_MS,
    stop: { message: { type: 'shutdown' }, withinMs: SHUTDOWN_MS },
    launch: inThread(new URL('audio-in-worker.ts', import.meta.url), { name: 'audio-in', workerData }),
    ready: ({ type }) => type === 'ready',
    message(message) {
      if (message.type === 'ready') ({ languages } = message);
      if (message.type === 'recognizing') recognizes.resolve();
      if (message.type === 'warning') log.warn({ detail: message.detail }, message.message);
      if (message.type === 'measured') settings.latencies?.add(message.result, message.provider, message.ms);
      if (message.type === 'recognizerFailed') settings.latencies?.failed('final', message.provider, message.code);
      if (message.type === 'heard') for (const event of message.events) streams.get(event.session)?.receive(event);
    },
    restarted() {
      for (const stream of streams.values()) attach(stream);
    },
    ended({ how }, after) {
      if (after.next !== 'restarts') return;
      for (const stream of streams.values()) stream.interrupted();
      const fields = { reason: how, sessions: streams.size, restMs: after.restMs };
      log.error(fields, 'audio-in was interrupted; another worker takes over');
    },
  });

  const batch = new PacketBatch((packets) => worker.post({ type: 'packets', ...packets }));
  const link: AudioInLink = {
    packet: (session, packet) => batch.add(session, packet),
    send(message) {
      batch.flush();
      worker.post(message);
    },
  };

  function attach(stream: SessionAudioInStream): void {
    stream.attach(link);
  }

  function assertOpen(): void {
    if (life === 'closed') throw new Error('Audio-in is closed.');
  }

  return {
    killForTesting: () => worker.kill(),
    get languages() {
      return languages;
    },
    async ready() {
      assertOpen();
      await worker.ready();
    },
    recognizing: () => Promise.race([recognizes.promise, pause(RECOGNIZING_WITHIN_MS, undefined, { ref: false })]),
    open({ language, keyTerms = [], preferred = null, enhancementLevel, handlers }) {
      assertOpen();
      const session = nextSession++;
      const stream = new SessionAudioInStream(
        session,
        { language, keyTerms, preferred, enhancementLevel },
        handlers,
        log,
        () => streams.delete(session),
      );
      streams.set(session, stream);
      // Otherwise it is attached to the next worker.
      if (worker.running) attach(stream);
      return stream;
    },
    async close() {
      life = 'closed';
      for (const stream of streams.values()) stream.close();
      await worker.stop();
    },
  };
}
