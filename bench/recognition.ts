import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import type { SpeechRecognizer } from '../models/ports.ts';
import { knownPackages } from '../models/packages/known.ts';
import { findLocalModels } from '../models/sherpa/find-local-models.ts';
import { createPocketSphinx } from '../models/stt/pocketsphinx.ts';
import { createSherpaRecognizer } from '../models/stt/sherpa-onnx.ts';
import { differingWords, wordsOf } from '../models/testing/sounds.ts';
import { recordings, type Recording } from '../models/testing/speech/recordings.ts';
import { cutByVad } from './lib/cut-by-vad.ts';
import { watchEventLoop } from './lib/event-loop.ts';
import { median } from './lib/statistics.ts';
import { printTable } from './lib/table.ts';

/**
 * How well each recognizer understands people (`models/testing/speech`): wrong words while they speak (the last partial
 * text) and at the end (the final text), and how long the final text takes after the end of speech. The recordings are
 * cut by the VAD and played at the speed of speech, one after the other.
 *
 * The neural models of a folder are measured too, English ones; `node scripts/models.ts fetch` fetches them.
 *
 *   node bench/recognition.ts [--runs 5] [--models data/models]
 */
const { values: args } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, models: { type: 'string', default: 'data/models' } },
});
const runs = Number(args.runs);
const local = await findLocalModels(resolve(args.models), knownPackages(process.env['PARLEY_MODELS_LIST'] || null), {
  choose: 'all',
});
for (const { id, state, realTimeFactor } of local.notes)
  console.log(`${id}: ${state}, ${realTimeFactor?.toFixed(2) ?? '–'} s for a second of sound`);

const PACKET_MS = 20;
const PACKET_SAMPLES = 320;

const RECOGNIZERS: Readonly<Record<string, () => SpeechRecognizer>> = {
  'pocketsphinx (offline, English)': () => createPocketSphinx(),
  ...Object.fromEntries(
    local.recognizers
      .filter(({ language }) => language === 'en')
      .map((recognizer) => [
        [recognizer.streaming.id, recognizer.finalPass?.id].filter(Boolean).join(' and '),
        () => createSherpaRecognizer([recognizer]),
      ]),
  ),
};

interface Heard {
  readonly partial: string;
  readonly final: string;
  /** From `finish` to the final text, ms. */
  readonly delayMs: number;
}

/** Gives a recognizer one utterance at the speed of speech. */
async function hear(recognizer: SpeechRecognizer, pcm: Int16Array): Promise<Heard> {
  let partial = '';
  const final = Promise.withResolvers<string>();
  const stream = recognizer.open({
    language: 'en',
    keyTerms: [],
    handlers: { partial: (text) => (partial = text), final: (text) => final.resolve(text), failed: final.reject },
  });
  const began = performance.now();
  for (let at = 0; at < pcm.length; at += PACKET_SAMPLES) {
    await pause(Math.max(0, began + (at / PACKET_SAMPLES) * PACKET_MS - performance.now()));
    stream.write(pcm.slice(at, at + PACKET_SAMPLES));
  }
  const asked = performance.now();
  stream.finish();
  const text = await final.promise;
  const delayMs = performance.now() - asked;
  stream.close();
  return { partial, final: text, delayMs };
}

const cut = await Promise.all(
  recordings().map(async (recording) => ({ recording, utterances: await cutByVad(recording.pcm) })),
);

/** @returns wrong words of each kind, of one recording. */
async function one(recognizer: SpeechRecognizer, { words }: Recording, utterances: readonly Int16Array[]) {
  const heard: Heard[] = [];
  for (const pcm of utterances) heard.push(await hear(recognizer, pcm));
  const wrong = (kind: 'partial' | 'final'): number =>
    differingWords(words, heard.map((utterance) => utterance[kind]).join(' '));
  return { partial: wrong('partial'), final: wrong('final'), delays: heard.map(({ delayMs }) => delayMs) };
}

for (const [name, open] of Object.entries(RECOGNIZERS)) {
  const loop = watchEventLoop();
  const rows: { partial: number; final: number; delay: number }[][] = [];
  for (let run = 0; run < runs; run += 1) {
    const recognizer = open();
    const row: { partial: number; final: number; delay: number }[] = [];
    for (const { recording, utterances } of cut) {
      const { partial, final, delays } = await one(recognizer, recording, utterances);
      row.push({ partial, final, delay: median(delays) });
    }
    rows.push(row);
    await recognizer.close();
  }
  const of = (index: number, what: 'partial' | 'final' | 'delay'): number =>
    median(rows.map((row) => row[index]?.[what] ?? Number.NaN));
  const expected = cut.map(({ recording }) => wordsOf(recording.words).length);
  const share = (what: 'partial' | 'final'): string => {
    const wrong = cut.reduce((sum, _, index) => sum + of(index, what), 0);
    return `${((100 * wrong) / expected.reduce((a, b) => a + b, 0)).toFixed(1)} %`;
  };
  console.log(`\n${name}, median of ${runs} runs:`);
  printTable(
    ['recording', 'words', 'utterances', 'wrong while speaking', 'wrong at the end', 'final after, ms'],
    [
      ...cut.map(({ recording, utterances }, index) => [
        recording.name,
        expected[index] ?? 0,
        utterances.length,
        of(index, 'partial'),
        of(index, 'final'),
        of(index, 'delay').toFixed(0),
      ]),
      [
        'all',
        expected.reduce((a, b) => a + b, 0),
        cut.reduce((sum, { utterances }) => sum + utterances.length, 0),
        share('partial'),
        share('final'),
        median(cut.map((_, index) => of(index, 'delay'))).toFixed(0),
      ],
    ],
  );
  const delay = loop.stop();
  console.log(
    `Event-loop delay p50 ${delay.p50.toFixed(1)}, p99 ${delay.p99.toFixed(1)}, max ${delay.max.toFixed(0)} ms.`,
  );
}
