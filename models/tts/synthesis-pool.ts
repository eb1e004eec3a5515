import { fork, type ChildProcess } from 'node:child_process';
import { ProviderError, type SynthesisChunk } from '../ports.ts';
import type { SynthesisJob, SynthesisMessage } from './synthesis-protocol.ts';

/** A library that is silent for this long inside one sentence hangs: the slowest here needs 0.1 s. */
const STUCK_AFTER_MS = 8_000;
/**
 * All processes may be killed at once, and once more while they start. Beyond that, without a job finished in between,
 * none is started for a while.
 */
const MOST_DEATHS_EACH = 2;
const PAUSE_AFTER_DEATHS_MS = 10_000;
/** Another process may have been killed for reasons of its own; a sentence that two did not survive may be what ended them. */
const MOST_TRIES = 2;

interface Pending {
  readonly job: SynthesisJob;
  readonly controller: ReadableStreamDefaultController<SynthesisChunk>;
  /** The listener lost interest; what still arrives is dropped. */
  abandoned: boolean;
  tries: number;
  /** Chunks that the listener has. */
  delivered: number;
  /** Chunks of this try that the listener had from the one before: the same text becomes the same sound. */
  toSkip: number;
}

interface Worker {
  readonly child: ChildProcess;
  state: 'starting' | 'idle' | 'busy';
  current: Pending | null;
  watchdog: NodeJS.Timeout | null;
}

/**
 * Speech libraries block, crash and have licenses of their own, so each runs in processes apart, started ahead and
 * kept warm. Jobs wait in order for the next idle process; a job that is no longer wanted never reaches one.
 */
export class SynthesisPool {
  readonly #provider: string;
  readonly #entry: URL;
  readonly #workers = new Set<Worker>();
  readonly #waiting: Pending[] = [];
  readonly #size: number;
  #nextJobId = 1;
  #deaths = 0;
  #pausedUntil = 0;
  #unavailable: string | null = null;
  #closed = false;

  /** @param size how many sentences can be spoken at the same time; each process takes about 60 MB. */
  constructor(provider: string, entry: URL, size: number) {
    this.#provider = provider;
    this.#entry = entry;
    this.#size = size;
    this.#startWorkers();
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
          job: { ...job, jobId: this.#nextJobId++ },
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
        this.#startWorkers();
        if (this.#workers.size === 0)
          return this.#fail(pending, this.#error('unavailable', 'The speech process keeps ending.'));
        this.#waiting.push(pending);
        this.#dispatch();
      },
      cancel: () => {
        signal.removeEventListener('abort', abort);
        this.#abandon(pending);
      },
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const pending of this.#waiting.splice(0))
      this.#fail(pending, this.#error('unavailable', 'The synthesizer is closed.'));
    const exits = [...this.#workers].map(
      ({ child }) => new Promise<void>((resolve) => child.once('exit', () => resolve())),
    );
    for (const worker of this.#workers) {
      if (worker.child.connected) worker.child.disconnect();
      // A process inside its library does not hear the disconnect; nothing of it needs saving.
      if (worker.state !== 'idle') worker.child.kill('SIGKILL');
    }
    await Promise.all(exits);
  }

  #startWorkers(): void {
    if (this.#closed || this.#unavailable !== null || performance.now() < this.#pausedUntil) return;
    while (this.#workers.size < this.#size) {
      const child = fork(this.#entry, {
        serialization: 'advanced',
        execArgv: [],
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
      const worker: Worker = { child, state: 'starting', current: null, watchdog: null };
      this.#workers.add(worker);
      child.on('message', (message: SynthesisMessage) => this.#received(worker, message));
      child.on('error', () => this.#died(worker));
      child.on('exit', () => this.#died(worker));
    }
  }

  #dispatch(): void {
    for (const worker of this.#workers) {
      if (worker.state !== 'idle') continue;
      const pending = this.#waiting.shift();
      if (!pending) return;
      worker.state = 'busy';
      worker.current = pending;
      pending.tries += 1;
      pending.toSkip = pending.delivered;
      this.#watch(worker);
      worker.child.send(pending.job, (error) => error && worker.child.kill('SIGKILL'));
    }
  }

  #received(worker: Worker, message: SynthesisMessage): void {
    switch (message.type) {
      case 'ready':
        worker.state = 'idle';
        return this.#dispatch();
      case 'unavailable':
        this.#unavailable = message.message;
        for (const pending of this.#waiting.splice(0)) this.#fail(pending, this.#error('unavailable', message.message));
        return;
      case 'chunk':
        this.#watch(worker);
        if (worker.current) this.#deliver(worker.current, message.chunk);
        return;
      case 'end':
        this.#deaths = 0;
        if (worker.current && !worker.current.abandoned) worker.current.controller.close();
        return this.#finished(worker);
      case 'error':
        if (worker.current) this.#fail(worker.current, this.#error(message.code, message.message));
        return this.#finished(worker);
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

  #finished(worker: Worker): void {
    if (worker.watchdog) clearTimeout(worker.watchdog);
    if (worker.current) worker.current.abandoned = true;
    worker.current = null;
    worker.state = 'idle';
    this.#dispatch();
  }

  #watch(worker: Worker): void {
    if (worker.watchdog) clearTimeout(worker.watchdog);
    worker.watchdog = setTimeout(() => worker.child.kill('SIGKILL'), STUCK_AFTER_MS);
    worker.watchdog.unref();
  }

  #died(worker: Worker): void {
    if (!this.#workers.delete(worker)) return;
    if (worker.watchdog) clearTimeout(worker.watchdog);
    const { current } = worker;
    const goesOn = !this.#closed && this.#unavailable === null;
    if (current && !current.abandoned && goesOn && current.tries < MOST_TRIES) this.#waiting.unshift(current);
    else if (current) this.#fail(current, this.#error('server', 'The speech process ended in mid-sentence.'));
    if (!goesOn) return;
    this.#deaths += 1;
    if (this.#deaths > MOST_DEATHS_EACH * this.#size) {
      this.#deaths = 0;
      this.#pausedUntil = performance.now() + PAUSE_AFTER_DEATHS_MS;
      for (const pending of this.#waiting.splice(0))
        this.#fail(pending, this.#error('unavailable', 'The speech process keeps ending.'));
    }
    this.#startWorkers();
    // Others may be idle.
    this.#dispatch();
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

  #error(code: ProviderError['code'], message: string): ProviderError {
    return new ProviderError(this.#provider, code, message);
  }
}
