import { z } from 'zod';
import { inProcess } from '../../runtime/in-process.ts';
import type { SpeechRecognizer } from '../ports.ts';
import { mainModel, type LocalRecognizer } from '../sherpa/local-model.ts';
import { createRecognizerFallback } from './fallback.ts';
import { createProcessRecognizer } from './process-recognizer.ts';
import type { SttProvider, SttTools } from './stt-provider.ts';

const ID = 'sherpa-onnx';
/** Time before a model that could not be loaded is tried again. It may have been fetched again by then. */
const RETRY_AFTER_MS = 30_000;

const options = z.object({});

export const sherpaOnnx: SttProvider<typeof options> = {
  id: ID,
  about: 'neural models on this machine, fetched with `--models`',
  where: 'local',
  // Languages of all models that can be fetched. Which ones are installed is known at the start.
  languages: ['en', 'de', 'es', 'fr', 'it', 'pt'],
  options,
  open: (_, { localRecognizers, warn, start }) => createSherpaRecognizer(localRecognizers, warn, start),
};

/**
 * Neural recognition on this machine, with a process for each model; languages that have the same one share it. If a process
 * ends, the next one gets the audio
 * of the utterances without a final.
 * @param recognizers the default language first. @param warn called for processes that ended. Never with content.
 * @param start when the process of the default language starts. Those of other languages start on demand.
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
    byModel(recognizers).map((sharing, index) => ({
      provider: mainModel(sharing[0]).id,
      recognizer: createOne(sharing, index === 0 ? start : 'on demand', warn),
    })),
  );
}

type Sharing = [LocalRecognizer, ...LocalRecognizer[]];

/** A model of whole utterances is told the language with each utterance. A streaming one has one language. */
function byModel(recognizers: readonly LocalRecognizer[]): Sharing[] {
  const groups: Sharing[] = [];
  for (const recognizer of recognizers) {
    const shares = ([first]: Sharing) =>
      first.streaming === null &&
      recognizer.streaming === null &&
      first.finalPass.folder === recognizer.finalPass.folder;
    const group = groups.find(shares);
    if (group === undefined) groups.push([recognizer]);
    else group.push(recognizer);
  }
  return groups;
}

function createOne(
  [recognizer, ...others]: Sharing,
  start: SttTools['start'],
  warn: (message: string) => void,
): SpeechRecognizer {
  const { id } = mainModel(recognizer);
  return createProcessRecognizer({
    provider: ID,
    name: `The recognition model ${id}`,
    languages: [recognizer.language, ...others.map(({ language }) => language)],
    launch: inProcess(new URL('sherpa-process.ts', import.meta.url), [JSON.stringify(recognizer)]),
    start,
    // A file that cannot be loaded once cannot be loaded the next time.
    unreadyIsFinal: true,
    retryAfterMs: RETRY_AFTER_MS,
    warn,
    gaveUp: (message) => warn(`${message} Are its files whole? node scripts/models.ts check ${id}`),
  });
}
