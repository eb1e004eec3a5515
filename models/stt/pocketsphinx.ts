import { z } from 'zod';
import { integer, nameText } from '../option-values.ts';
import type { SpeechRecognizer } from '../ports.ts';
import { inProcess } from '../../runtime/in-process.ts';
import { createProcessRecognizer } from './process-recognizer.ts';
import type { SttProvider, SttTools } from './stt-provider.ts';

const DEBIAN_MODEL_DIR = '/usr/share/pocketsphinx/model/en-us';
/** A decoder needs about 0.13 s for a second of speech, so one process keeps up with six or seven speakers at once. */
const DEFAULT_MAX_DECODERS = 4;
const LANGUAGES = ['en'] as const;

/** How the process is started: its only argument, as JSON. */
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

/** After a process that cannot work (no library, no model), or several that ended, the next is tried no sooner than this. */
const RETRY_AFTER_MS = 3_000;

/**
 * PocketSphinx in a process of its own: US English, offline, for tests and demonstrations. It understands clear
 * synthetic speech (5–7 % word errors) and little of real human speech. A process that ends is replaced, and the next
 * one is given the sound of what was not understood yet; streams fail only when that keeps happening.
 * @param warn told of processes that ended. Never content. @param start `on demand`: with the first speaker.
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
    language: LANGUAGES[0],
    launch: inProcess(new URL('pocketsphinx-process.ts', import.meta.url), [JSON.stringify(processOptions)]),
    start,
    unreadyIsFinal: false,
    retryAfterMs: RETRY_AFTER_MS,
    warn,
  });
}
