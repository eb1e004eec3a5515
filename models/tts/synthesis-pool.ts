import { inProcess } from '../../runtime/in-process.ts';
import type { Requests } from '../../runtime/requests.ts';
import { SupervisedWorker } from '../../runtime/supervised-worker.ts';
import { WorkerError } from '../../runtime/worker-error.ts';
import { ProviderError, type SynthesisChunk } from '../ports.ts';
import type { SynthesisJob, SynthesisMessage } from './synthesis-protocol.ts';

/** A process that sends nothing for this long inside of a sentence hangs. The slowest library needs 0.1 s. */
const STUCK_AFTER_MS = 8_000;
/**
 * How often each process may end without a finished job in between. All may be killed at once, and once more while they
 * start. After that, none is started for a while.
 */
const MAX_DEATHS_EACH = 2;
const PAUSE_AFTER_DEATHS_MS = 10_000;
/**
 * Processes that may end during one sentence. The first may have been killed by the system; after the second, the
 * sentence is probably the cause.
 */
const MAX_TRIES = 2;

interface Pending {
  readonly job: Omit<SynthesisJob, 'jobId'>;
  readonly controller: ReadableStreamDefaultController<SynthesisChunk>;
  /** The job was canceled: what still arrives is dropped. */
  abandoned: boolean;
  tries: number;
  /** Chunks that were passed on. */
  delivered: number;
  /** Chunks of this try that the previous try has passed on already: the same text gives the same audio. */
  toSkip: number;
}

/** One process. */
interface Speaker {
  readonly worker: SupervisedWorker<SynthesisJob, SynthesisMessage>;
  readonly jobs: Requests<SynthesisJob, void, SynthesisChunk>;
  state: 'starting' | 'idle' | 'busy';
}

/**
 * A pool of processes of one speech library. Such libraries block, may crash, and have licenses of their own. The first
 * process starts ahead or when it is warmed, each other one when a job has to wait: it is there for the next. Jobs wait in
 * order for an idle process; a canceled job never reaches one.
 */
export class SynthesisPool {
  readonly #provider: string;
  readonly #speakers: readonly Speaker[];
  readonly #waiting: Pending[] = [];
  #deaths = 0;
  #unavailable: string | null = null;
  #closed = false;

  /**
   * @param size how many sentences can be spoken at the same time. Each process takes about 45 MB.
   * @param first when the first process starts.
   */
  constructor(provider: string, entry: URL, size: number, first: 'ahead' | 'on demand' = 'ahead') {
    this.#provider = provider;
    this.#speakers = Array.from({ length: size }, (_, index) =>
      this.#open(entry, MAX_DEATHS_EACH * size, first === 'ahead' && index === 0),
    );
  }

  /** Somebody will speak soon: a process takes some tenths of a second to start. */
  warm(): void {
    if (!this.#closed) this.#startOne();
  }

  /** Processes that run now. */
  get running(): number {
    return this.#speakers.filter(({ worker }) => worker.running).length;
  }

  /** Streams one job. The stream fails with `ProviderError`; canceling it or the signal drops the job. */
  speak(job: Omit<SynthesisJob, 'jobId'>, signal: AbortSignal): ReadableStream<SynthesisChunk> {
    let pending: Pending;
    const abort = () => {
      if (pending.abandoned) return;
      this.#abandon(pending);
      pending.controller.error(new ProviderError(this.#provider, 'aborted', 'Speech was stopped.'));
    };
    return new ReadableStream<SynthesisChunk>({
      start: (controller) => {
        pending = {
          job,
          controller,
          abandoned: false,
          tries: 0,
          delivered: 0,
          toSkip: 0,
        };
        if (this.#closed) return controller.error(this.#error('unavailable', 'The synthesizer is closed.'));
        if (this.#unavailable !== null) return controller.error(this.#error('unavailable', this.#unavailable));
        if (signal.aborted) return abort();
        signal.addEventListener('abort', abort, { once: true });
        this.#startOne();
        if (!this.#anyRuns()) return this.#fail(pending, this.#keepsEnding());
        this.#waiting.push(pending);
        this.#dispatch();
        if (this.#waiting.length > 0) this.#startAnother();
      },
      cancel: () => {
        signal.removeEventListener('abort', abort);
        this.#abandon(pending);
      },
    });
  }

  /** Ends the processes. They have nothing to save. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const pending of this.#waiting.splice(0))
      this.#fail(pending, this.#error('unavailable', 'The synthesizer is closed.'));
    await Promise.all(this.#speakers.map(({ worker }) => worker.stop()));
  }

  #open(entry: URL, mostDeaths: number, ahead: boolean): Speaker {
    const worker = new SupervisedWorker<SynthesisJob, SynthesisMessage>({
      name: 'The speech process',
      start: ahead ? 'at once' : 'on demand',
      budget: { died: () => this.#died(mostDeaths) },
      retryAfterMs: PAUSE_AFTER_DEATHS_MS,
      launch: inProcess(entry),
      ready: ({ type }) => type === 'ready',
      message: (message) => this.#received(speaker, message),
      ended: () => (speaker.state = 'starting'),
      gaveUp: () => {
        if (this.#anyRuns()) return;
        for (const pending of this.#waiting.splice(0)) this.#fail(pending, this.#keepsEnding());
      },
    });
    const speaker: Speaker = { worker, jobs: worker.requests(), state: 'starting' };
    return speaker;
  }

  /** One process must be there. A first one that keeps ending rests for a while; another one may not. */
  #startOne(): void {
    for (const { worker } of this.#speakers) {
      if (this.#anyRuns()) return;
      worker.start();
    }
  }

  /** One after the other: that which starts now may be enough. */
  #startAnother(): void {
    if (this.#speakers.some(({ worker, state }) => worker.running && state === 'starting')) return;
    this.#speakers.find(({ worker }) => !worker.running)?.worker.start();
  }

  #anyRuns(): boolean {
    return this.#speakers.some(({ worker }) => worker.running);
  }

  /** Restarts of all processes together. @returns null when it is enough. */
  #died(mostDeaths: number): 0 | null {
    this.#deaths += 1;
    if (this.#deaths <= mostDeaths) return 0;
    this.#deaths = 0;
    return null;
  }

  #dispatch(): void {
    for (const speaker of this.#speakers) {
      if (speaker.state !== 'idle') continue;
      const pending = this.#waiting.shift();
      if (!pending) return;
      void this.#speak(speaker, pending);
    }
  }

  async #speak(speaker: Speaker, pending: Pending): Promise<void> {
    speaker.state = 'busy';
    pending.tries += 1;
    pending.toSkip = pending.delivered;
    try {
      await speaker.jobs.ask((jobId) => ({ ...pending.job, jobId }), {
        silenceMs: STUCK_AFTER_MS,
        item: (chunk) => this.#deliver(pending, chunk),
      });
      this.#deaths = 0;
      if (!pending.abandoned) pending.controller.close();
      pending.abandoned = true;
    } catch (error) {
      if (error instanceof WorkerError) this.#brokeOff(pending);
      else this.#fail(pending, error as ProviderError);
    }
    this.#dispatch();
  }

  /** The process of the job ended. */
  #brokeOff(pending: Pending): void {
    if (pending.abandoned) return;
    const goesOn = !this.#closed && this.#unavailable === null && pending.tries < MAX_TRIES;
    if (!goesOn) this.#fail(pending, this.#error('server', 'The speech process ended in mid-sentence.'));
    else if (this.#anyRuns()) {
      this.#waiting.unshift(pending);
      this.#startAnother();
    } else this.#fail(pending, this.#keepsEnding());
  }

  #received(speaker: Speaker, message: SynthesisMessage): void {
    switch (message.type) {
      case 'ready':
        speaker.state = 'idle';
        this.#dispatch();
        if (this.#waiting.length > 0) this.#startAnother();
        return;
      case 'unavailable':
        this.#unavailable = message.message;
        for (const pending of this.#waiting.splice(0)) this.#fail(pending, this.#error('unavailable', message.message));
        return speaker.worker.giveUp('has no library.');
      case 'chunk':
        return speaker.jobs.item(message.jobId, message.chunk);
      case 'end':
        speaker.state = 'idle';
        return speaker.jobs.resolve(message.jobId);
      case 'error':
        speaker.state = 'idle';
        return speaker.jobs.reject(message.jobId, this.#error(message.code, message.message));
    }
  }

  #deliver(pending: Pending, chunk: SynthesisChunk): void {
    if (pending.abandoned) return;
    if (pending.toSkip > 0) {
      pending.toSkip -= 1;
      return;
    }
    pending.delivered += 1;
    pending.controller.enqueue(chunk);
  }

  #abandon(pending: Pending): void {
    pending.abandoned = true;
    const index = this.#waiting.indexOf(pending);
    if (index >= 0) this.#waiting.splice(index, 1);
  }

  #fail(pending: Pending, error: ProviderError): void {
    if (pending.abandoned) return;
    pending.abandoned = true;
    pending.controller.error(error);
  }

  #keepsEnding(): ProviderError {
    return this.#error('unavailable', 'The speech process keeps ending.');
  }

  #error(code: ProviderError['code'], message: string): ProviderError {
    return new ProviderError(this.#provider, code, message);
  }
}
