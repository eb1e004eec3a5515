import { z } from 'zod';
import { inProcess } from '../../runtime/in-process.ts';
import { SupervisedWorker } from '../../runtime/supervised-worker.ts';
import type { WorkerError } from '../../runtime/worker-error.ts';
import { ProviderError, type SpeechRecognizer } from '../ports.ts';
import type { LocalRecognizer } from '../sherpa/local-model.ts';
import type { FromPocketSphinx, ToPocketSphinx } from './pocketsphinx-messages.ts';
import { PocketSphinxStream } from './pocketsphinx-stream.ts';
import { createRecognizerChain } from './recognizer-chain.ts';
import type { SttProvider } from './stt-provider.ts';

const ID = 'sherpa-onnx';
/** A model that could not be loaded is tried again no sooner than this: it may have been fetched anew. */
const RETRY_AFTER_MS = 30_000;

const options = z.object({});

export const sherpaOnnx: SttProvider<typeof options> = {
  id: ID,
  about: 'neural models on this machine, fetched with `--models`',
  where: 'local',
  // Those of the models that can be fetched; which are here is known at the start.
  languages: ['en', 'de', 'es', 'fr'],
  options,
  open: (_, { localRecognizers, warn }) => createSherpaRecognizer(localRecognizers, warn),
};

/**
 * Neural recognition on this machine, a process for each language. A process that ends is replaced, and the next one is
 * given the sound of what was not understood yet.
 * @param recognizers the default language first. @param warn told of processes that ended. Never content.
 * @throws Error when there is none.
 */
export function createSherpaRecognizer(
  recognizers: readonly LocalRecognizer[],
  warn: (message: string) => void = () => {},
): SpeechRecognizer {
  if (recognizers.length === 0)
    throw new Error(
      'No neural recognition model is here that this machine is fast enough for. Fetch one: bash scripts/start.sh --models',
    );
  return createRecognizerChain(
    recognizers.map((recognizer, index) => createOne(recognizer, index === 0 ? 'at once' : 'on demand', warn)),
  );
}

function createOne(
  recognizer: LocalRecognizer,
  start: 'at once' | 'on demand',
  warn: (message: string) => void,
): SpeechRecognizer {
  const streams = new Set<PocketSphinxStream>();
  let nextUtterance = 1;
  const worker = new SupervisedWorker<ToPocketSphinx, FromPocketSphinx>({
    name: `The recognition model ${recognizer.streaming.id}`,
    start,
    retryAfterMs: RETRY_AFTER_MS,
    // A file that cannot be loaded will not do better the next time.
    unreadyIsFinal: true,
    launch: inProcess(new URL('sherpa-process.ts', import.meta.url), [JSON.stringify(recognizer)]),
    ready: ({ type }) => type === 'ready',
    message(message) {
      for (const stream of streams) stream.receive(message);
    },
    restarted() {
      for (const stream of streams) stream.sendAgain();
    },
    ended({ how }, { next }) {
      const lost = [...streams].reduce((sum, stream) => sum + stream.lost(), 0);
      if (next !== 'restarts') return;
      warn(
        `The recognition process of ${recognizer.streaming.id} ended (${how}); another takes over.${lost > 0 ? ` Words of ${lost} utterances may be lost.` : ''}`,
      );
      // Who has spoken is answered without another word; if it cannot start, `gaveUp` says so.
      if (streams.size > 0) worker.ready().catch(() => {});
    },
    gaveUp(error) {
      warn(`${error.message} Are its files whole? node scripts/models.ts check ${recognizer.streaming.id}`);
      for (const stream of streams) stream.fail(new ProviderError(ID, 'unavailable', error.message, { cause: error }));
      streams.clear();
    },
  });
  return {
    name: `${ID} ${recognizer.streaming.id}`,
    languages: [recognizer.language],
    open({ handlers }) {
      const stream = new PocketSphinxStream(
        handlers,
        {
          send: (message) => void worker.post(message),
          newUtterance: () => nextUtterance++,
          closed: () => streams.delete(stream),
          hung: () => worker.kill(),
        },
        recognizer.language,
      );
      streams.add(stream);
      worker.ready().catch((error: WorkerError) => {
        // Another one takes over, and is told by `restarted`.
        if (error.reason === 'ended' || !streams.delete(stream)) return;
        stream.fail(new ProviderError(ID, 'unavailable', error.message, { cause: error }));
      });
      return stream;
    },
    async close() {
      for (const stream of streams) stream.close();
      await worker.stop();
    },
  };
}
