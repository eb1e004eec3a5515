import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ProviderError } from '../ports.ts';
import type { RecognitionHandlers, RecognitionStream, SpeechRecognizer } from '../ports.ts';
import type { FromPocketSphinx, PocketSphinxProcessOptions, ToPocketSphinx } from './pocketsphinx-messages.ts';

export interface PocketSphinxSettings {
  /** Folder of the US English model. @defaultValue where Debian's `pocketsphinx-en-us` puts it */
  readonly modelDir?: string;
  /** Utterances decoded at once; each decoder takes about 100 MB. More wait for their turn. 1…64. @defaultValue 4 */
  readonly maxDecoders?: number;
}

const DEBIAN_MODEL_DIR = '/usr/share/pocketsphinx/model/en-us';
/** A decoder needs about 0.13 s for a second of speech, so one process keeps up with six or seven speakers at once. */
const DEFAULT_MAX_DECODERS = 4;
/** A final comes within about 0.1 s; when it takes this long the process hangs and is replaced. */
const HANG_MS = 20_000;
/** After a process that never got ready (no library, no model), the next one is tried no sooner than this. */
const RETRY_AFTER_MS = 3_000;

type Child =
  | { readonly state: 'none' }
  | { readonly state: 'unusable'; readonly message: string; readonly retry: NodeJS.Timeout }
  | { readonly state: 'running'; readonly process: ChildProcess; ready: boolean; reason: string | null };

/**
 * PocketSphinx in a process of its own: US English, offline, for tests and demonstrations. It understands clear
 * synthetic speech (5–7 % word errors) and little of real human speech.
 */
export function createPocketSphinx(settings: PocketSphinxSettings = {}): SpeechRecognizer {
  const options: PocketSphinxProcessOptions = {
    modelDir: settings.modelDir ?? DEBIAN_MODEL_DIR,
    maxDecoders: settings.maxDecoders ?? DEFAULT_MAX_DECODERS,
  };
  const streams = new Set<PocketSphinxStream>();
  let child: Child = { state: 'none' };
  let nextUtterance = 1;

  const lost = (message: string): void => {
    const error = new ProviderError('pocketsphinx', 'unavailable', message);
    for (const stream of streams) stream.fail(error);
    streams.clear();
  };

  const start = (): Child => {
    const process = fork(
      fileURLToPath(new URL('pocketsphinx-process.ts', import.meta.url)),
      [JSON.stringify(options)],
      {
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        execArgv: [],
      },
    );
    const started: Child = { state: 'running', process, ready: false, reason: null };
    process.on('message', (message: FromPocketSphinx) => {
      if (message.type === 'ready') started.ready = true;
      else if (message.type === 'unusable') started.reason = message.message;
      else for (const stream of streams) stream.receive(message);
    });
    process.on('error', (error) => (started.reason ??= error.message));
    process.once('close', (code, signal) => {
      if (child !== started) return;
      const message = started.reason ?? `The recognition process ended (${signal ?? code}).`;
      if (started.ready) child = { state: 'none' };
      else {
        const retry = setTimeout(() => (child = { state: 'none' }), RETRY_AFTER_MS);
        retry.unref();
        child = { state: 'unusable', message, retry };
      }
      lost(message);
    });
    return started;
  };

  const send = (message: ToPocketSphinx): void => {
    if (child.state === 'running' && child.process.connected) child.process.send(message, () => undefined);
  };

  child = start();
  return {
    name: 'pocketsphinx',
    languages: ['en'],
    open({ handlers }) {
      if (child.state === 'none') child = start();
      const stream = new PocketSphinxStream(handlers, {
        send,
        newUtterance: () => nextUtterance++,
        closed: () => streams.delete(stream),
        hung: () => child.state === 'running' && child.process.kill('SIGKILL'),
      });
      if (child.state === 'unusable') {
        const error = new ProviderError('pocketsphinx', 'unavailable', child.message);
        setImmediate(() => stream.fail(error));
      } else streams.add(stream);
      return stream;
    },
    async close() {
      const ending = child;
      child = { state: 'none' };
      for (const stream of streams) stream.close();
      if (ending.state === 'unusable') clearTimeout(ending.retry);
      if (ending.state !== 'running' || ending.process.exitCode !== null || ending.process.signalCode !== null) return;
      // Nothing in there is worth saving, and a decoder in mid-search would not see a polite request.
      const closed = new Promise((resolve) => ending.process.once('close', resolve));
      ending.process.kill('SIGKILL');
      await closed;
    },
  };
}

interface Process {
  send(message: ToPocketSphinx): void;
  newUtterance(): number;
  closed(): void;
  hung(): void;
}

class PocketSphinxStream implements RecognitionStream {
  readonly #handlers: RecognitionHandlers;
  readonly #process: Process;
  readonly #finishing = new Map<number, NodeJS.Timeout>();
  #current: number | null = null;
  #life: 'open' | 'closed' = 'open';

  constructor(handlers: RecognitionHandlers, process: Process) {
    this.#handlers = handlers;
    this.#process = process;
  }

  write(pcm: Int16Array): void {
    if (this.#life === 'closed' || pcm.length === 0) return;
    this.#current ??= this.#process.newUtterance();
    this.#process.send({ type: 'write', utterance: this.#current, pcm });
  }

  finish(): void {
    if (this.#life === 'closed') return;
    const utterance = this.#current ?? this.#process.newUtterance();
    this.#current = null;
    this.#finishing.set(
      utterance,
      setTimeout(() => this.#process.hung(), HANG_MS),
    );
    this.#process.send({ type: 'finish', utterance });
  }

  reset(): void {
    if (this.#current !== null) this.#process.send({ type: 'drop', utterance: this.#current });
    this.#current = null;
  }

  /** The model knows English only. */
  setLanguage(): void {}

  close(): void {
    if (this.#life === 'closed') return;
    this.reset();
    this.#end();
    this.#process.closed();
  }

  receive(message: FromPocketSphinx): void {
    if (message.type === 'partial' && message.utterance === this.#current) this.#handlers.partial(message.text);
    if (message.type !== 'final') return;
    const timer = this.#finishing.get(message.utterance);
    if (timer === undefined) return;
    clearTimeout(timer);
    this.#finishing.delete(message.utterance);
    this.#handlers.final(message.text, 'en');
  }

  fail(error: Error): void {
    if (this.#life === 'closed') return;
    this.#end();
    this.#handlers.failed(error);
  }

  #end(): void {
    this.#life = 'closed';
    for (const timer of this.#finishing.values()) clearTimeout(timer);
    this.#finishing.clear();
  }
}
