import type { Launch } from '../../runtime/link.ts';
import { SupervisedWorker } from '../../runtime/supervised-worker.ts';
import { ProviderError, type SpeechRecognizer } from '../ports.ts';
import { ProcessStream } from './process-stream.ts';
import type { FromRecognition, ToRecognition } from './recognition-messages.ts';

export interface ProcessRecognizerOptions {
  /** As errors name it. */
  readonly provider: string;
  /** Begins a sentence of an error: `The recognition process`. */
  readonly name: string;
  /** ISO 639-1: the one that it understands. */
  readonly language: string;
  readonly launch: Launch<ToRecognition, FromRecognition>;
  /** `on demand`: with the first speaker. */
  readonly start: 'at once' | 'on demand';
  /** One that ends before it is ready would not do better the next time. */
  readonly unreadyIsFinal: boolean;
  /** ms. After a process that cannot work, or several that ended, the next is tried no sooner than this. */
  readonly retryAfterMs: number;
  /** Told of processes that ended. Never content. */
  warn(message: string): void;
  /** Told when there is none any more. */
  gaveUp?(message: string): void;
}

/**
 * A recognizer whose library is in a process of its own. A process that ends is replaced, and the next one is given the
 * sound of what was not understood yet; streams fail only when that keeps happening.
 */
export function createProcessRecognizer(options: ProcessRecognizerOptions): SpeechRecognizer {
  const { provider, name, language, warn } = options;
  const streams = new Set<ProcessStream>();
  let unusable: ProviderError | null = null;
  let nextUtterance = 1;
  const worker = new SupervisedWorker<ToRecognition, FromRecognition>({
    name,
    start: options.start,
    retryAfterMs: options.retryAfterMs,
    unreadyIsFinal: options.unreadyIsFinal,
    launch: options.launch,
    ready: ({ type }) => type === 'ready',
    message(message) {
      if (message.type === 'unusable') worker.giveUp(`cannot work: ${message.message}`);
      else for (const stream of streams) stream.receive(message);
    },
    restarted() {
      unusable = null;
      for (const stream of streams) stream.sendAgain();
    },
    ended({ how }, { next }) {
      if (next !== 'restarts') return;
      const givenUp = [...streams].reduce((sum, stream) => sum + stream.lost(), 0);
      warn(
        `${name} ended (${how}); another takes over.${givenUp > 0 ? ` Words of ${givenUp} utterances may be lost.` : ''}`,
      );
      // Who has spoken is answered without another word. If it cannot start, `gaveUp` says so.
      if (streams.size > 0) worker.ready().catch(() => undefined);
    },
    gaveUp({ message }) {
      unusable = new ProviderError(provider, 'unavailable', message);
      options.gaveUp?.(message);
      for (const stream of streams) stream.fail(unusable);
      streams.clear();
    },
  });

  return {
    name: provider,
    languages: [language],
    open({ handlers }) {
      worker.start();
      const stream = new ProcessStream(
        handlers,
        {
          send: (message) => worker.post(message),
          newUtterance: () => nextUtterance++,
          closed: () => streams.delete(stream),
          hung: () => worker.kill(),
        },
        language,
      );
      const error = unusable;
      if (error === null) streams.add(stream);
      else setImmediate(() => stream.fail(error));
      return stream;
    },
    async close() {
      for (const stream of streams) stream.close();
      // Nothing in there is worth saving, and one in mid-search would not see a polite request.
      await worker.stop();
    },
  };
}
