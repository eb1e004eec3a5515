import { z } from 'zod';
import { integer, nameText } from '../option-values.ts';
import type { SpeechRecognizer } from '../ports.ts';
import { inProcess } from '../../runtime/in-process.ts';
import { createProcessRecognizer } from './process-recognizer.ts';
import type { SttProvider, SttTools } from './stt-provider.ts';

const DEBIAN_MODEL_DIR = '/usr/share/pocketsphinx/model/en-us';
/** A decoder takes about 0.13 s for a second of speech, so one process is enough for six or seven speakers at once. */
const DEFAULT_MAX_DECODERS = 4;
const LANGUAGES = ['en'] as const;

/** The process's only argument, as JSON. */
export interface PocketSphinxProcessOptions {
  readonly modelDir: string;
  readonly maxDecoders: number;
}

const options = z.object({
  modelDir: nameText().default(DEBIAN_MODEL_DIR).describe('Folder of the US English model of PocketSphinx.'),
  maxDecoders: integer(1, 64)
    .default(DEFAULT_MAX_DECODERS)
    .describe('Utterances that PocketSphinx decodes at once, each with about 100 MB. More wait for their turn.'),
});

export const pocketSphinx: SttProvider<typeof options> = {
  id: 'pocketsphinx',
  about: 'offline, English',
  where: 'local',
  standIn: 'PocketSphinx, fit for demos',
  languages: LANGUAGES,
  options,
  open: (settings, { warn, start }) => createPocketSphinx(settings, warn, start),
};

/** Time before the next try, after a process that could not start (no library, no model), or several that ended. */
const RETRY_AFTER_MS = 3_000;

/**
 * PocketSphinx in a process of its own: US English, offline, for tests and demonstrations. It understands clear
 * synthetic speech (5–7 % word errors), and little real human speech. If the process ends, the next one gets the audio
 * of the utterances without a final. Streams fail only when processes keep ending. @param warn called for processes
 * that ended. Never with content. @param start `on demand`: for the first speaker.
 */
export function createPocketSphinx(
  settings: Partial<z.output<typeof options>> = {},
  warn: (message: string) => void = () => {},
  start: SttTools['start'] = 'at once',
): SpeechRecognizer {
  const processOptions: PocketSphinxProcessOptions = {
    modelDir: settings.modelDir ?? DEBIAN_MODEL_DIR,
    maxDecoders: settings.maxDecoders ?? DEFAULT_MAX_DECODERS,
  };
  return createProcessRecognizer({
    provider: 'pocketsphinx',
    name: 'The recognition process',
    languages: LANGUAGES,
    launch: inProcess(new URL('pocketsphinx-process.ts', import.meta.url), [JSON.stringify(processOptions)]),
    start,
    unreadyIsFinal: false,
    retryAfterMs: RETRY_AFTER_MS,
    warn,
  });
}
