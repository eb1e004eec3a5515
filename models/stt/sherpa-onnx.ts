import { z } from 'zod';
import { inProcess } from '../../runtime/in-process.ts';
import type { SpeechRecognizer } from '../ports.ts';
import type { LocalRecognizer } from '../sherpa/local-model.ts';
import { createRecognizerFallback } from './fallback.ts';
import { createProcessRecognizer } from './process-recognizer.ts';
import type { SttProvider, SttTools } from './stt-provider.ts';

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
  open: (_, { localRecognizers, warn, start }) => createSherpaRecognizer(localRecognizers, warn, start),
};

/**
 * Neural recognition on this machine, a process for each language. A process that ends is replaced, and the next one is
 * given the sound of what was not understood yet.
 * @param recognizers the default language first. @param warn told of processes that ended. Never content.
 * @param start when the process of the default language starts. Those of the others start on demand.
 * @throws Error when there is none.
 */
export function createSherpaRecognizer(
  recognizers: readonly LocalRecognizer[],
  warn: (message: string) => void = () => {},
  start: SttTools['start'] = 'at once',
): SpeechRecognizer {
  if (recognizers.length === 0)
    throw new Error(
      'No neural recognition model is here that this machine is fast enough for. Fetch one: bash scripts/start.sh --models',
    );
  return createRecognizerFallback(
    recognizers.map((recognizer, index) => ({
      provider: recognizer.streaming.id,
      recognizer: createOne(recognizer, index === 0 ? start : 'on demand', warn),
    })),
  );
}

function createOne(
  recognizer: LocalRecognizer,
  start: SttTools['start'],
  warn: (message: string) => void,
): SpeechRecognizer {
  const { id } = recognizer.streaming;
  return createProcessRecognizer({
    provider: ID,
    name: `The recognition model ${id}`,
    language: recognizer.language,
    launch: inProcess(new URL('sherpa-process.ts', import.meta.url), [JSON.stringify(recognizer)]),
    start,
    // A file that cannot be loaded will not do better the next time.
    unreadyIsFinal: true,
    retryAfterMs: RETRY_AFTER_MS,
    warn,
    gaveUp: (message) => warn(`${message} Are its files whole? node scripts/models.ts check ${id}`),
  });
}
