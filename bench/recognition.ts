import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import type { SpeechRecognizer } from '../models/ports.ts';
import { addNoise, NOISES } from '../models/testing/noises.ts';
import { differingWords, wavSamples, wordsOf } from '../models/testing/sounds.ts';
import { recordings, type Recording } from '../models/testing/speech/recordings.ts';
import { segmentByVad, type SegmentedUtterance } from './lib/segment-by-vad.ts';
import { watchEventLoop } from './lib/event-loop.ts';
import { measuredRecognizers } from './lib/measured-recognizers.ts';
import { median, spread } from './lib/statistics.ts';
import { printTable } from './lib/table.ts';

/**
 * How well each recognizer understands people (`models/testing/speech`): wrong words while they speak (the last partial
 * text) and at the end (the final text), and how long the final text takes after the last voiced sample. It is asked for when
 * the VAD says that the voice has stopped, about 160 ms after that. The recordings are cut by the VAD and played at the speed
 * of speech, one after the other. A digit counts as the word that it stands for.
 *
 * Measured are PocketSphinx, the English models of a folder (`node scripts/models.ts fetch` fetches them), the recognizers of
 * the settings (`PARLEY_STT_…`), and the services of `DEEPGRAM_API_KEY`, `OPENAI_API_KEY` and `ASSEMBLYAI_API_KEY`: these
 * are paid for.
 *
 *   node bench/recognition.ts [--runs 5] [--models data/models] [--only deepgram] [--recordings FOLDER] [--noise 10]
 *
 * `--noise` adds pink noise, so many dB below the voice. `--only` takes those with this in their names. A folder of recordings has `name.wav`, 16-bit mono at 16 kHz, and
 * `name.txt` with the English words of each; without it those of the tests are played.
 */
const { values: args } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    models: { type: 'string', default: 'data/models' },
    only: { type: 'string', default: '' },
    recordings: { type: 'string' },
    noise: { type: 'string' },
  },
});
const runs = Number(args.runs);

const PACKET_MS = 20;
const PACKET_SAMPLES = 320;
/** A session waits for 8 s; what comes later is no answer. */
const FINAL_LIMIT_MS = 15_000;

function recordingsOf(folder: string): Pick<Recording, 'name' | 'words' | 'pcm'>[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.wav'))
    .map((file) => {
      const name = file.slice(0, -'.wav'.length);
      const words = readFileSync(join(folder, `${name}.txt`), 'utf8');
      return { name, words, pcm: wavSamples(readFileSync(join(folder, file))) };
    });
}

const DIGITS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

function digitsAsWords(text: string): string {
  return text.replaceAll(/\b(?:\d|10)\b/g, (digits) => DIGITS[Number(digits)] ?? digits);
}

interface Heard {
  readonly partial: string;
  readonly final: string;
  /** From the last voiced sample to the final text, ms. */
  readonly delayMs: number;
}

/** Gives a recognizer one utterance at the speed of speech. */
async function hear(recognizer: SpeechRecognizer, { pcm, voice, silenceMs }: SegmentedUtterance): Promise<Heard> {
  let partial = '';
  const final = Promise.withResolvers<string>();
  // It may fail while the sound is still given.
  final.promise.catch(() => {});
  const stream = recognizer.open({
    language: 'en',
    keyTerms: [],
    handlers: { partial: (text) => (partial = text), final: (text) => final.resolve(text), failed: final.reject },
  });
  const began = performance.now();
  const changes = [...voice];
  for (let at = 0; at < pcm.length; at += PACKET_SAMPLES) {
    await pause(Math.max(0, began + (at / PACKET_SAMPLES) * PACKET_MS - performance.now()));
    stream.write(pcm.slice(at, at + PACKET_SAMPLES));
    while ((changes[0]?.at ?? Infinity) <= at + PACKET_SAMPLES) stream.setVoice?.(changes.shift()?.voice ?? 'on');
  }
  const asked = performance.now();
  stream.finish();
  const text = await Promise.race([final.promise, tooLate()]);
  const delayMs = performance.now() - asked + silenceMs;
  stream.close();
  return { partial, final: text, delayMs };
}

function withNoise(pcm: Int16Array): Int16Array {
  if (args.noise === undefined) return pcm;
  return addNoise(pcm, NOISES['pink']!(Math.ceil(pcm.length / 16_000)), Number(args.noise));
}

const played = args.recordings === undefined ? recordings() : recordingsOf(args.recordings);
const cut = await Promise.all(
  played.map(async (recording) => ({ recording, utterances: await segmentByVad(withNoise(recording.pcm)) })),
);

/** @returns wrong words of each kind, of one recording. */
async function one(
  recognizer: SpeechRecognizer,
  { words }: Pick<Recording, 'words'>,
  utterances: readonly SegmentedUtterance[],
) {
  const heard: Heard[] = [];
  for (const utterance of utterances) heard.push(await hear(recognizer, utterance));
  const wrong = (kind: 'partial' | 'final'): number =>
    differingWords(words, digitsAsWords(heard.map((utterance) => utterance[kind]).join(' ')));
  return { partial: wrong('partial'), final: wrong('final'), delays: heard.map(({ delayMs }) => delayMs) };
}

async function tooLate(): Promise<never> {
  await pause(FINAL_LIMIT_MS, undefined, { ref: false });
  throw new Error(`There was no final within ${FINAL_LIMIT_MS / 1000} s.`);
}

/** Measures one recognizer and prints its table. @throws what the recognizer throws. */
async function measure(name: string, open: () => SpeechRecognizer | Promise<SpeechRecognizer>): Promise<void> {
  const loop = watchEventLoop();
  const rows: { partial: number; final: number; delay: number }[][] = [];
  const allDelays: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const recognizer = await open();
    const row: { partial: number; final: number; delay: number }[] = [];
    try {
      for (const { recording, utterances } of cut) {
        const { partial, final, delays } = await one(recognizer, recording, utterances);
        row.push({ partial, final, delay: median(delays) });
        allDelays.push(...delays);
      }
    } finally {
      await recognizer.close();
    }
    rows.push(row);
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
  const after = spread(allDelays);
  console.log(
    `Final text of ${after.count} utterances: p50 ${after.p50.toFixed(0)}, p95 ${after.p95.toFixed(0)} ms. ` +
      `Event-loop delay p50 ${delay.p50.toFixed(1)}, p99 ${delay.p99.toFixed(1)}, max ${delay.max.toFixed(0)} ms.`,
  );
}

for (const { name, open } of await measuredRecognizers(args.models, process.env)) {
  if (!name.includes(args.only)) continue;
  // One that cannot be reached says nothing about the others.
  await measure(name, open).catch((error: unknown) =>
    console.log(`\n${name}: ${error instanceof Error ? error.message : String(error)}`),
  );
}
