/**
 * Mouth shapes from sound alone, and from the letters of the text, scored against a voice that reports its phonemes: how
 * many closed lips, open mouths and rounded lips are found and how many are invented, and how far the mouth's opening
 * lags behind the truth. Letters share the time of their word, which is less than services with character times tell.
 *
 *   node bench/lip-sync.ts [--voices slt,rms,awb]
 */
import { parseArgs } from 'node:util';
import { isArpabet } from '../models/tts/arpabet.ts';
import { lettersToArpabet } from '../models/tts/spelling/letters-to-arpabet.ts';
import { createOfflineSynthesizer } from '../models/tts/offline.ts';
import type { TimedUnit } from '../models/ports.ts';
import type { Viseme } from '../engine/ports.ts';
import { mouthAt, type TimedShape } from '../engine/face/animation/mouth-blend.ts';
import type { MouthShape } from '../engine/audio-out/mouth/coarticulation.ts';
import { MouthFromAudio } from '../engine/audio-out/mouth/mouth-from-audio.ts';
import { Resampler } from '../engine/audio-out/tts/resampler.ts';
import { VISEMES_OF } from '../engine/audio-out/mouth/visemes.ts';
import { spread } from './lib/statistics.ts';
import { printTable } from './lib/table.ts';

const { values: args } = parseArgs({ options: { voices: { type: 'string', default: 'slt,rms,awb' } } });

/** Phonetically rich sentences with many closed lips. None of them was used to choose the limits. */
const SENTENCES = [
  'Mama, five, you, oh.',
  'My mother bought a big apple pie for Pam.',
  'The blue moon rose above the old harbor.',
  'She sells sea shells by the sea shore.',
  'Bob will pay the bill before the boat departs.',
  'How do you do, and what would you like to know?',
  'A large dark car stopped at the farm.',
  'Please open the window, it is warm in this room.',
  'Few people believe that the map was wrong.',
  'The happy puppy jumped up and bumped its lamp.',
];
/** Classes of visible shapes. A shape may be in none. A resting mouth also counts as closed lips. */
const CLASSES: Readonly<Record<string, { readonly of: ReadonlySet<Viseme>; readonly doing: ReadonlySet<Viseme> }>> = {
  'lips closed': { of: new Set(['mbp']), doing: new Set(['mbp', 'rest']) },
  'mouth open': { of: new Set(['aa', 'ae', 'eh', 'oh']), doing: new Set(['aa', 'ae', 'eh', 'oh']) },
  'lips rounded': { of: new Set(['oh', 'ou', 'w']), doing: new Set(['oh', 'ou', 'w']) },
  silent: { of: new Set(['rest']), doing: new Set(['rest']) },
};
const STEP_MS = 10;
/** Half a frame: a smaller error is not visible. */
const TOLERANCE_MS = 20;
const MAX_LAG_MS = 120;

interface Spoken {
  readonly durationMs: number;
  readonly truth: readonly MouthShape[];
  readonly read: readonly MouthShape[];
}

const SOURCES = ['sound', 'letters'] as const;

async function speak(text: string, voice: string): Promise<Record<(typeof SOURCES)[number], Spoken>> {
  const phonemes: TimedUnit[] = [];
  const words: TimedUnit[] = [];
  const reader = new MouthFromAudio();
  const read: MouthShape[] = [];
  let resampler: Resampler | null = null;
  let samples = 0;
  const hear = (pcm: Int16Array): void => {
    samples += pcm.length;
    read.push(...reader.add(pcm));
  };
  for await (const chunk of synthesizer.synthesize(
    { text, voice, language: 'en', tuning: {} },
    new AbortController().signal,
  )) {
    phonemes.push(...(chunk.phonemes ?? []));
    words.push(...(chunk.words ?? []));
    resampler ??= new Resampler(chunk.sampleRate);
    hear(resampler.convert(chunk.pcm));
  }
  if (resampler !== null) hear(resampler.finish());
  const common = { durationMs: samples / 48, truth: phonemes.flatMap(shapesOf) };
  const spelled = words.flatMap((word) => lettersToArpabet(letters(word), 'en') ?? []);
  return {
    sound: { ...common, read: [...read, ...reader.finish()] },
    letters: { ...common, read: spelled.flatMap(shapesOf) },
  };
}

function letters({ text, startMs, endMs }: TimedUnit): TimedUnit[] {
  const each = (endMs - startMs) / text.length;
  return [...text].map((letter, at) => ({
    text: letter,
    startMs: startMs + at * each,
    endMs: startMs + (at + 1) * each,
  }));
}

function shapesOf({ text, startMs, endMs }: TimedUnit): MouthShape[] {
  let at = startMs;
  return VISEMES_OF[isArpabet(text) ? text : 'ax'].map(({ shape, weight, share }) => {
    const from = at;
    at += (endMs - startMs) * share;
    return { shape, weight, startMs: from, endMs: at };
  });
}

/** For each step of time, whether a shape of the class is there, `reach` ms around it included. */
function presence(
  shapes: readonly MouthShape[],
  members: ReadonlySet<Viseme>,
  durationMs: number,
  reach: number,
): boolean[] {
  const mine = shapes.filter(({ shape }) => members.has(shape));
  return Array.from({ length: Math.floor(durationMs / STEP_MS) }, (_, i) =>
    mine.some(({ startMs, endMs }) => i * STEP_MS >= startMs - reach && i * STEP_MS < endMs + reach),
  );
}

/** @returns how many steps of `flags` lie in `within`, and how many there are. */
function hits(flags: readonly boolean[], within: readonly boolean[]): { hit: number; all: number } {
  return { hit: flags.filter((flag, i) => flag && within[i]).length, all: flags.filter(Boolean).length };
}

/** How far the mouth is open, for each step. */
function opening(shapes: readonly MouthShape[], durationMs: number): number[] {
  const timed: TimedShape[] = shapes.map(({ shape, weight, startMs, endMs }) => ({
    shape,
    weight,
    startsAt: startMs,
    endsAt: endMs,
  }));
  return Array.from({ length: Math.floor(durationMs / STEP_MS) }, (_, i) => mouthAt(timed, i * STEP_MS).mouthOpen);
}

function correlation(a: readonly number[], b: readonly number[], lag: number): number {
  const pairs = a.flatMap((value, i) => (b[i + lag] === undefined ? [] : [[value, b[i + lag]!] as const]));
  const mean = (k: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[k], 0) / pairs.length;
  const [ma, mb] = [mean(0), mean(1)];
  const product = (f: (pair: readonly [number, number]) => number) => pairs.reduce((sum, pair) => sum + f(pair), 0);
  return (
    product(([x, y]) => (x - ma) * (y - mb)) /
    Math.sqrt(product(([x]) => (x - ma) ** 2) * product(([, y]) => (y - mb) ** 2))
  );
}

/**
 * Distance of each true closure to the nearest one that was found, from begin to begin. Those without one are missed.
 */
function closureErrors({ truth, read }: Spoken): { errors: number[]; missed: number } {
  const begins = (shapes: readonly MouthShape[]) =>
    shapes.filter(({ shape }) => shape === 'mbp' || shape === 'rest').map(({ startMs }) => startMs);
  const found = begins(read);
  const distances = truth
    .filter(({ shape }) => shape === 'mbp')
    .map(({ startMs }) =>
      found.reduce((best, at) => (Math.abs(at - startMs) < Math.abs(best) ? at - startMs : best), Infinity),
    );
  return {
    errors: distances.filter((error) => Math.abs(error) <= MAX_LAG_MS),
    missed: distances.filter((error) => Math.abs(error) > MAX_LAG_MS).length,
  };
}

const synthesizer = createOfflineSynthesizer();
for (const voice of args.voices.split(',')) {
  const all: Awaited<ReturnType<typeof speak>>[] = [];
  for (const sentence of SENTENCES) all.push(await speak(sentence, voice));
  for (const source of SOURCES)
    score(
      `${voice}, from ${source}`,
      all.map((each) => each[source]),
    );
}

function score(name: string, spoken: readonly Spoken[]): void {
  console.log(
    `\n${name}: ${SENTENCES.length} sentences, ${(spoken.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000).toFixed(0)} s`,
  );
  printTable(
    ['', 'found, %', 'right, %', 'F1, %'],
    Object.entries(CLASSES).map(([shape, members]) => {
      const sum = { found: 0, truth: 0, right: 0, read: 0 };
      for (const { truth, read, durationMs } of spoken) {
        const exact = (shapes: readonly MouthShape[]) => presence(shapes, members.of, durationMs, 0);
        const wide = (shapes: readonly MouthShape[]) => presence(shapes, members.doing, durationMs, TOLERANCE_MS);
        const recalled = hits(exact(truth), wide(read));
        const precise = hits(exact(read), wide(truth));
        sum.found += recalled.hit;
        sum.truth += recalled.all;
        sum.right += precise.hit;
        sum.read += precise.all;
      }
      const [recall, precision] = [sum.found / sum.truth, sum.right / sum.read];
      return [shape, recall * 100, precision * 100, (200 * recall * precision) / (recall + precision)];
    }),
  );
  const lags = spoken.map(({ truth, read, durationMs }) => {
    const [a, b] = [opening(truth, durationMs), opening(read, durationMs)];
    let best = { lag: 0, value: -1 };
    for (let lag = -MAX_LAG_MS / STEP_MS; lag <= MAX_LAG_MS / STEP_MS; lag++) {
      const value = correlation(a, b, lag);
      if (value > best.value) best = { lag, value };
    }
    return best;
  });
  const closures = spoken.map(closureErrors);
  const errors = closures.flatMap((closure) => closure.errors.map(Math.abs));
  printTable(
    ['', 'p50', 'p95'],
    [
      [
        'opening, correlation with the truth at its best lag',
        ...[0.5, 0.05].map(
          (q) =>
            lags.map(({ value }) => value).toSorted((a, b) => a - b)[Math.floor(q * (lags.length - 1))] ?? Number.NaN,
        ),
      ],
      ['opening, lag behind the truth, ms', ...Object.values(spread(lags.map(({ lag }) => lag * STEP_MS))).slice(1, 3)],
      ['closing lips, timing error, ms', spread(errors).p50, spread(errors).p95],
      [
        'closing lips, missed, of',
        closures.reduce((sum, { missed }) => sum + missed, 0),
        errors.length + closures.reduce((sum, { missed }) => sum + missed, 0),
      ],
    ],
  );
}
await synthesizer.close();
process.exit(0);
