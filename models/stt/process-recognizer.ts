import type { Launch } from '../../runtime/link.ts';
import { SupervisedWorker } from '../../runtime/supervised-worker.ts';
import { ProviderError, type SpeechRecognizer } from '../ports.ts';
import { ProcessStream } from './process-stream.ts';
import type { FromRecognition, ToRecognition } from './recognition-messages.ts';

export interface ProcessRecognizerOptions {
  /** The name in errors. */
  readonly provider: string;
  /** The subject of error messages: `The recognition process`. */
  readonly name: string;
  /** ISO 639-1 codes of its languages, the one to use if nobody says first. */
  readonly languages: readonly [string, ...string[]];
  readonly launch: Launch<ToRecognition, FromRecognition>;
  /** `on demand`: started for the first speaker. */
  readonly start: 'at once' | 'on demand';
  /** A process that ends before it is ready would fail again. */
  readonly unreadyIsFinal: boolean;
  /** Time before the next try, ms, after a process that could not start, or several that ended. */
  readonly retryAfterMs: number;
  /** Called for processes that ended. Never with content. */
  warn(message: string): void;
  /** Called when no process is started any more. */
  gaveUp?(message: string): void;
}

/**
 * A recognizer whose library is in a process of its own. If the process ends, the next one gets the audio of the
 * utterances without a final. Streams fail only when processes keep ending.
 */
export function createProcessRecognizer(options: ProcessRecognizerOptions): SpeechRecognizer {
  return new ProcessRecognizer(options);
}

class ProcessRecognizer implements SpeechRecognizer {
  readonly name: SpeechRecognizer['name'];
  readonly languages: ProcessRecognizerOptions['languages'];
  readonly #options: ProcessRecognizerOptions;
  readonly #worker: SupervisedWorker<ToRecognition, FromRecognition>;
  readonly #streams = new Set<ProcessStream>();
  /** Why no process is started any more. */
  #unusable: ProviderError | null = null;
  #nextUtterance = 1;

  constructor(options: ProcessRecognizerOptions) {
    this.name = options.provider;
    this.languages = options.languages;
    this.#options = options;
    this.#worker = this.#startWorker();
  }

  open({ handlers, language }: Parameters<SpeechRecognizer['open']>[0]): ProcessStream {
    this.#worker.start();
    const stream = new ProcessStream(
      handlers,
      {
        send: (message) => this.#worker.post(message),
        newUtterance: () => this.#nextUtterance++,
        closed: () => this.#streams.delete(stream),
        hung: () => this.#worker.kill(),
      },
      this.languages,
      language,
    );
    const error = this.#unusable;
    if (error === null) this.#streams.add(stream);
    else setImmediate(() => stream.fail(error));
    return stream;
  }

  /** If it cannot start, the next recognizer takes over. */
  async ready(): Promise<void> {
    await this.#worker.ready().catch(() => undefined);
  }

  async close(): Promise<void> {
    for (const stream of this.#streams) stream.close();
    // Killed at once: it has nothing to save, and does not read messages while it decodes.
    await this.#worker.stop();
  }

  #startWorker(): SupervisedWorker<ToRecognition, FromRecognition> {
    const { name, start, retryAfterMs, unreadyIsFinal, launch, warn } = this.#options;
    const streams = this.#streams;
    return new SupervisedWorker<ToRecognition, FromRecognition>({
      name,
      start,
      retryAfterMs,
      unreadyIsFinal,
      launch,
      ready: ({ type }) => type === 'ready',
      message: (message) => {
        if (message.type === 'unusable') this.#worker.giveUp(`cannot work: ${message.message}`);
        else for (const stream of streams) stream.receive(message);
      },
      restarted: () => {
        this.#unusable = null;
        for (const stream of streams) stream.sendAgain();
      },
      ended: ({ how }, { next }) => {
        if (next !== 'restarts') return;
        warn(`${name} ended (${how}); another takes over.${sayLost(streams)}`);
        // Utterances that have ended get the words so far. If the process cannot start, `gaveUp` is called.
        if (streams.size > 0) this.#worker.ready().catch(() => undefined);
      },
      gaveUp: ({ message }) => this.#giveUp(message),
    });
  }

  #giveUp(message: string): void {
    const error = new ProviderError(this.name, 'unavailable', message);
    this.#unusable = error;
    this.#options.gaveUp?.(message);
    for (const stream of this.#streams) stream.fail(error);
    this.#streams.clear();
  }
}

/** Tells all streams that their process is gone. @returns what to add to the warning. */
function sayLost(streams: Iterable<ProcessStream>): string {
  const givenUp = [...streams].reduce((sum, stream) => sum + stream.lost(), 0);
  return givenUp > 0 ? ` Words of ${givenUp} utterances may be lost.` : '';
}
