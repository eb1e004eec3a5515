import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { integer, nameText } from '../option-values.ts';
import { ProviderError } from '../ports.ts';
import type { SpeechRecognizer } from '../ports.ts';
import { RestartBudget } from '../../runtime/restart-budget.ts';
import type { FromPocketSphinx, PocketSphinxProcessOptions } from './pocketsphinx-messages.ts';
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

type Child =
  | { readonly state: 'none' }
  /** One has ended, the next starts soon. */
  | { readonly state: 'resting'; readonly restart: NodeJS.Timeout }
  | { readonly state: 'unusable'; readonly message: string; readonly retry: NodeJS.Timeout }
  | { readonly state: 'running'; readonly process: ChildProcess };

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
  const budget = new RestartBudget();
  let child: Child = { state: 'none' };
  let nextUtterance = 1;

  function start(): void {
    const process = fork(
      fileURLToPath(new URL('pocketsphinx-process.ts', import.meta.url)),
      [JSON.stringify(options)],
      {
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        execArgv: [],
      },
    );
    child = { state: 'running', process };
    let unusable: string | null = null;
    process.on('message', (message: FromPocketSphinx) => {
      if (message.type === 'unusable') unusable = message.message;
      else for (const stream of streams) stream.receive(message);
    });
    process.on('error', (error) => (unusable ??= error.message));
    process.once('close', (code, signal) => {
      if (child.state !== 'running' || child.process !== process) return;
      if (unusable === null) ended(String(signal ?? code));
      else giveUp(unusable);
    });
    for (const stream of streams) stream.sendAgain();
  }

  function ended(how: string): void {
    const givenUp = [...streams].reduce((sum, stream) => sum + stream.lost(), 0);
    const wait = budget.died(performance.now());
    if (wait === null) return giveUp(`The recognition process keeps ending (${how}).`);
    warn(
      `The recognition process ended (${how}); another takes over.${givenUp > 0 ? ` Words of ${givenUp} utterances may be lost.` : ''}`,
    );
    child = { state: 'resting', restart: setTimeout(start, wait) };
  }

  function giveUp(message: string): void {
    const retry = setTimeout(() => (child = { state: 'none' }), RETRY_AFTER_MS);
    retry.unref();
    child = { state: 'unusable', message, retry };
    const error = new ProviderError('pocketsphinx', 'unavailable', message);
    for (const stream of streams) stream.fail(error);
    streams.clear();
  }

  start();
  return {
    name: 'pocketsphinx',
    languages: LANGUAGES,
    open({ handlers }) {
      if (child.state === 'none') start();
      const stream = new PocketSphinxStream(
        handlers,
        {
          send: (message) => {
            if (child.state === 'running' && child.process.connected) child.process.send(message, () => undefined);
          },
          newUtterance: () => nextUtterance++,
          closed: () => streams.delete(stream),
          hung: () => child.state === 'running' && child.process.kill('SIGKILL'),
        },
        LANGUAGES[0],
      );
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
      if (ending.state === 'resting') clearTimeout(ending.restart);
      if (ending.state !== 'running' || ending.process.exitCode !== null || ending.process.signalCode !== null) return;
      // Nothing in there is worth saving, and a decoder in mid-search would not see a polite request.
      const closed = new Promise((resolve) => ending.process.once('close', resolve));
      ending.process.kill('SIGKILL');
      await closed;
    },
  };
}
