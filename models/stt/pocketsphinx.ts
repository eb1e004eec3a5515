import { z } from 'zod';
import { integer, nameText } from '../option-values.ts';
import { ProviderError } from '../ports.ts';
import type { SpeechRecognizer } from '../ports.ts';
import { inProcess } from '../../runtime/in-process.ts';
import { SupervisedWorker } from '../../runtime/supervised-worker.ts';
import type { FromPocketSphinx, PocketSphinxProcessOptions, ToPocketSphinx } from './pocketsphinx-messages.ts';
import { PocketSphinxStream } from './pocketsphinx-stream.ts';
import type { SttProvider } from './stt-provider.ts';

const DEBIAN_MODEL_DIR = '/usr/share/pocketsphinx/model/en-us';
/** A decoder needs about 0.13 s for a second of speech, so one process keeps up with six or seven speakers at once. */
const DEFAULT_MAX_DECODERS = 4;
const LANGUAGES = ['en'] as const;

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
  open: (settings, { warn }) => createPocketSphinx(settings, warn),
};

/** After a process that cannot work (no library, no model), or several that ended, the next is tried no sooner than this. */
const RETRY_AFTER_MS = 3_000;

/**
 * PocketSphinx in a process of its own: US English, offline, for tests and demonstrations. It understands clear
 * synthetic speech (5–7 % word errors) and little of real human speech. A process that ends is replaced, and the next
 * one is given the sound of what was not understood yet; streams fail only when that keeps happening.
 * @param warn told of processes that ended. Never content.
 */
export function createPocketSphinx(
  settings: Partial<z.output<typeof options>> = {},
  warn: (message: string) => void = () => {},
): SpeechRecognizer {
  const options: PocketSphinxProcessOptions = {
    modelDir: settings.modelDir ?? DEBIAN_MODEL_DIR,
    maxDecoders: settings.maxDecoders ?? DEFAULT_MAX_DECODERS,
  };
  const streams = new Set<PocketSphinxStream>();
  let unusable: ProviderError | null = null;
  let nextUtterance = 1;
  const worker = new SupervisedWorker<ToPocketSphinx, FromPocketSphinx>({
    name: 'The recognition process',
    start: 'at once',
    retryAfterMs: RETRY_AFTER_MS,
    launch: inProcess(new URL('pocketsphinx-process.ts', import.meta.url), [JSON.stringify(options)]),
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
        `The recognition process ended (${how}); another takes over.${givenUp > 0 ? ` Words of ${givenUp} utterances may be lost.` : ''}`,
      );
    },
    gaveUp({ message }) {
      unusable = new ProviderError('pocketsphinx', 'unavailable', message);
      for (const stream of streams) stream.fail(unusable);
      streams.clear();
    },
  });

  return {
    name: 'pocketsphinx',
    languages: LANGUAGES,
    open({ handlers }) {
      worker.start();
      const stream = new PocketSphinxStream(
        handlers,
        {
          send: (message) => worker.post(message),
          newUtterance: () => nextUtterance++,
          closed: () => streams.delete(stream),
          hung: () => worker.kill(),
        },
        LANGUAGES[0],
      );
      const error = unusable;
      if (error === null) streams.add(stream);
      else setImmediate(() => stream.fail(error));
      return stream;
    },
    async close() {
      for (const stream of streams) stream.close();
      // Nothing in there is worth saving, and a decoder in mid-search would not see a polite request.
      await worker.stop();
    },
  };
}
