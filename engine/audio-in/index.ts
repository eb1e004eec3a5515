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
  return new WorkerAudioIn(settings);
}

class WorkerAudioIn implements RunningAudioIn {
  readonly #settings: AudioInSettings;
  readonly #worker: SupervisedWorker<ToAudioIn, FromAudioIn>;
  readonly #batch: PacketBatch;
  readonly #streams = new Map<number, SessionAudioInStream>();
  readonly #recognizes = Promise.withResolvers<void>();
  #life: 'open' | 'closed' = 'open';
  #nextSession = 1;
  #languages: readonly string[] | 'any' = 'any';

  constructor(settings: AudioInSettings) {
    this.#settings = settings;
    this.#worker = this.#startWorker(workerDataOf(settings));
    this.#batch = new PacketBatch((packets) => this.#worker.post({ type: 'packets', ...packets }));
  }

  get languages(): readonly string[] | 'any' {
    return this.#languages;
  }

  async ready(): Promise<void> {
    this.#assertOpen();
    await this.#worker.ready();
  }

  async recognizing(): Promise<void> {
    await Promise.race([this.#recognizes.promise, pause(RECOGNIZING_WITHIN_MS, undefined, { ref: false })]);
  }

  open(options: Parameters<AudioIn['open']>[0]): SessionAudioInStream {
    this.#assertOpen();
    const { language, keyTerms = [], preferred = null, recognizer = null, enhancementLevel, handlers } = options;
    const session = this.#nextSession++;
    const words = recognizer?.words ?? 'here';
    const wanted = { language, keyTerms, preferred, enhancementLevel, words } as const;
    const closed = (): boolean => this.#streams.delete(session);
    const stream = new SessionAudioInStream(
      session,
      wanted,
      handlers,
      recognizer?.by ?? null,
      this.#settings.log,
      closed,
    );
    this.#streams.set(session, stream);
    // Otherwise it is attached to the next worker.
    if (this.#worker.running) stream.attach(this.#link);
    return stream;
  }

  killForTesting(): void {
    this.#worker.kill();
  }

  async close(): Promise<void> {
    this.#life = 'closed';
    for (const stream of this.#streams.values()) stream.close();
    await this.#worker.stop();
  }

  readonly #link: AudioInLink = {
    packet: (session, packet) => this.#batch.add(session, packet),
    send: (message) => {
      this.#batch.flush();
      this.#worker.post(message);
    },
  };

  #startWorker(workerData: AudioInWorkerData): SupervisedWorker<ToAudioIn, FromAudioIn> {
    return new SupervisedWorker<ToAudioIn, FromAudioIn>({
      name: 'The audio-in worker',
      start: 'at once',
      longRestMs: LONG_REST_MS,
      readyWithinMs: READY_WITHIN_MS,
      stop: { message: { type: 'shutdown' }, withinMs: SHUTDOWN_MS },
      launch: inThread(new URL('audio-in-worker.ts', import.meta.url), { name: 'audio-in', workerData }),
      ready: ({ type }) => type === 'ready',
      message: (message) => this.#take(message),
      restarted: () => {
        for (const stream of this.#streams.values()) stream.attach(this.#link);
      },
      ended: ({ how }, after) => {
        if (after.next !== 'restarts') return;
        for (const stream of this.#streams.values()) stream.interrupted();
        const fields = { reason: how, sessions: this.#streams.size, restMs: after.restMs };
        this.#settings.log.error(fields, 'audio-in was interrupted; another worker takes over');
      },
    });
  }

  #take(message: FromAudioIn): void {
    const { log, latencies } = this.#settings;
    if (message.type === 'ready') this.#languages = message.languages;
    if (message.type === 'recognizing') this.#recognizes.resolve();
    if (message.type === 'warning') log.warn({ detail: message.detail }, message.message);
    if (message.type === 'measured') latencies?.add(message.result, message.provider, message.ms);
    if (message.type === 'recognizerFailed') latencies?.failed('final', message.provider, message.code);
    if (message.type === 'heard')
      for (const { session, heard } of message.reports) this.#streams.get(session)?.receive(heard);
  }

  #assertOpen(): void {
    if (this.#life === 'closed') throw new Error('Audio-in is closed.');
  }
}

function workerDataOf(settings: AudioInSettings): AudioInWorkerData {
  const { recognizers, keyTerms = [], modelsDir = 'models', localRecognizers = [], endOfTurnModel = null } = settings;
  const { noise = { filter: NOISE_FILTERS[0]!.id, modelsDir } } = settings;
  return { recognizers, keyTerms, modelsDir, localRecognizers, noise, endOfTurnModel };
}
