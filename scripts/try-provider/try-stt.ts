import { fileURLToPath } from 'node:url';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { knownPackages } from '../../models/packages/known.ts';
import { ProviderError, type RecognitionStream } from '../../models/ports.ts';
import { findLocalModels, NO_MODELS } from '../../models/sherpa/find-local-models.ts';
import { NEURAL_STT, sttProvider } from '../../models/stt/registry.ts';
import { differingWords, wordsOf } from '../../models/testing/sounds.ts';
import type { Try, TryCommand } from './command.ts';
import { readWav } from './read-wav.ts';
import { median, time } from './times.ts';

/** Three seconds that a person reads; the folder's README says where they come from. */
const SAMPLE = fileURLToPath(new URL('../../models/testing/speech/librivox-0880.wav', import.meta.url));
const SAMPLE_WORDS = 'he was not an ill disposed young man';

const PIECE_SAMPLES = 320;
const PIECE_MS = 20;
/** A session waits for 8 s; a service that is started by the first request may need longer. */
const FINAL_LIMIT_MS = 20_000;

interface Heard {
  readonly text: string;
  /** From the first sound; null: there were no words before the end. */
  readonly partialMs: number | null;
  /** From the end of the sound. */
  readonly finalMs: number;
}

/** Says a recorded sentence to a recognizer, at the speed of speech. */
export const tryStt: Try = async (command, print) => {
  const pcm = await readWav(command.file ?? SAMPLE);
  print(`It hears ${command.file ?? `"${SAMPLE_WORDS}"`}, ${(pcm.length / 16_000).toFixed(1)} s.`);
  const utterances: PromiseWithResolvers<Heard>[] = [];
  let beganAt = 0;
  let endedAt = 0;
  let partialMs: number | null = null;
  const recognizer = await sttProvider(command.choice.provider).open(command.choice.options, await toolsFor(command));
  let stream: RecognitionStream | null = null;
  try {
    stream = recognizer.open({
      language: command.language,
      keyTerms: [],
      handlers: {
        partial: (text) => {
          if (text !== '') partialMs ??= performance.now() - beganAt;
        },
        final: (text) => utterances.at(-1)?.resolve({ text, partialMs, finalMs: performance.now() - endedAt }),
        failed: (error) => utterances.at(-1)?.reject(error),
      },
    });
    const heard: Heard[] = [];
    for (let each = 1; each <= command.tries; each += 1) {
      const utterance = Promise.withResolvers<Heard>();
      // It may fail while the sound is still given.
      utterance.promise.catch(() => {});
      utterances.push(utterance);
      partialMs = null;
      beganAt = performance.now();
      for (let at = 0; at < pcm.length; at += PIECE_SAMPLES) {
        await pause(Math.max(0, beganAt + (at / PIECE_SAMPLES) * PIECE_MS - performance.now()));
        stream.write(pcm.slice(at, at + PIECE_SAMPLES));
      }
      endedAt = performance.now();
      stream.finish();
      const one = await Promise.race([utterance.promise, tooLate()]);
      print(`  ${each}: ${wordsAfter(one)}final ${time(one.finalMs)} after the end: "${one.text}"`);
      heard.push(one);
    }
    summarize(command, heard, print);
  } finally {
    stream?.close();
    await recognizer.close();
  }
};

function wordsAfter({ partialMs }: Heard): string {
  return partialMs === null ? '' : `first words after ${time(partialMs)}, `;
}

async function tooLate(): Promise<never> {
  await pause(FINAL_LIMIT_MS, undefined, { ref: false });
  throw new ProviderError('recognizer', 'timeout', `There was no final within ${FINAL_LIMIT_MS / 1000} seconds.`);
}

function summarize({ file }: TryCommand, heard: readonly Heard[], print: (line: string) => void): void {
  const partials = heard.flatMap(({ partialMs }) => (partialMs === null ? [] : [partialMs]));
  const words =
    partials.length === 0 ? 'no words while somebody speaks' : `first words after ${time(median(partials))}`;
  print(`Median: ${words}, final ${time(median(heard.map(({ finalMs }) => finalMs)))} after the end.`);
  const last = heard.at(-1)?.text ?? '';
  if (last === '') throw new ProviderError('recognizer', 'bad-request', 'Nothing was understood.');
  if (file === null) print(`Wrong words: ${differingWords(SAMPLE_WORDS, last)} of ${wordsOf(SAMPLE_WORDS).length}.`);
}

async function toolsFor({ choice }: TryCommand) {
  const environment = process.env;
  const dataDir = environment['PARLEY_DATA_DIR'] || './data';
  const modelsDir = resolve(environment['PARLEY_MODELS_DIR'] || `${dataDir}/models`);
  const found =
    choice.provider === NEURAL_STT
      ? await findLocalModels(modelsDir, knownPackages(environment['PARLEY_MODELS_LIST'] || null), { choose: 'all' })
      : NO_MODELS;
  return { modelsDir, start: 'at once' as const, localRecognizers: found.recognizers, warn: () => {} };
}
