import { parseArgs } from 'node:util';
import {
  beginUtterance,
  begins,
  continues,
  extend,
  hasStopped,
  isSpeech,
  type Utterance,
} from '../../actors/vad/vad-segmenter.ts';
import type { SimulatedSession } from '../../actors/testing/simulated-session.ts';
import { SteadyNoise } from '../../engine/audio-in/stt/steady-noise.ts';
import { loadGtcrn } from '../../models/noise/gtcrn.ts';
import { loadRnnoise } from '../../models/noise/rnnoise.ts';
import { loadPocketSphinx, type Decoder } from '../../models/stt/pocketsphinx-library.ts';
import { addNoise, noiseAt, NOISES, voiceAt } from '../../models/testing/noises.ts';
import { concat, differingWords, silence, wordsOf } from '../../models/testing/sounds.ts';
import { recordings } from '../../models/testing/speech/recordings.ts';
import { createSileroVad } from '../../models/vad/silero.ts';
import { segmentByVad } from '../lib/segment-by-vad.ts';
import { printTable } from '../lib/table.ts';
import { sessionSound, type Filtering, type SoundWindow } from './audio-in-pipeline.ts';
import { listen, type Lane } from './simulated-listening.ts';

/**
 * What noise does to a session, for each noise filter and strength: sound that the VAD takes for speech, speech that it
 * misses, words that PocketSphinx gets wrong with and without the filter, and how often a noise stops the persona. The voices
 * are people's recordings (`models/testing/speech`), the noises are made (`models/testing/noises.ts`).
 *
 *   node bench/noise/index.ts [--parts vad,words,barge-in] [--noises white,babble,…] [--snr 0,5,10]
 *     [--strengths 0.5,0.8,1] [--seconds 60] [--gtcrn path/to/gtcrn_simple.onnx]
 */
const { values: args } = parseArgs({
  options: {
    parts: { type: 'string', default: 'vad,words,barge-in' },
    noises: { type: 'string', default: Object.keys(NOISES).join(',') },
    snr: { type: 'string', default: '0,5,10' },
    strengths: { type: 'string', default: '0.5,0.8,1' },
    seconds: { type: 'string', default: '60' },
    gtcrn: { type: 'string' },
  },
});
const parts = args.parts.split(',');
const noises = args.noises.split(',');
const ratios = args.snr.split(',').map(Number);
const seconds = Number(args.seconds);
const strengths = args.strengths.split(',').map(Number);

/** Level of a voice at a headset or laptop after the browser's gain control, dBFS: what the noise is compared with. */
const VOICE_DB = -26;
const MODEL_DIR = '/usr/share/pocketsphinx/model/en-us';

const [rnnoise, gtcrn] = [loadRnnoise(), args.gtcrn === undefined ? null : loadGtcrn(args.gtcrn)];
const filterings: Filtering[] = [
  { name: 'off', filters: null, strength: 0 },
  ...strengths.map((strength) => ({ name: `RNNoise ${strength}`, filters: rnnoise, strength })),
  ...(gtcrn === null ? [] : strengths.map((strength) => ({ name: `GTCRN ${strength}`, filters: gtcrn, strength }))),
];
const vad = createSileroVad();

const made = new Map<string, Float32Array>();
/** @param without a recording that must not be part of it. @returns a noise, as long as the longest use of it. */
function noiseOf(name: string, without?: string): Float32Array {
  const key = `${name} ${name === 'babble' || name === 'cafe' ? without : ''}`;
  let noise = made.get(key);
  if (noise === undefined) made.set(key, (noise = NOISES[name]!(Math.max(seconds, 15), without)));
  return noise;
}

/** @returns the voices that the VAD's rules find, from their onset to their last voiced sample, ms. */
function voices(windows: readonly SoundWindow[]): [from: number, to: number][] {
  const found: [number, number][] = [];
  let voice: Utterance | null = null;
  const add = (utterance: Utterance): void => {
    if (isSpeech(utterance)) found.push([utterance.onsetAt, utterance.lastVoicedAt]);
  };
  for (const { vad: window } of windows) {
    if (voice === null) voice = begins(window) ? beginUtterance(window) : null;
    else if (continues(voice, window)) voice = extend(voice, window);
    else if (hasStopped(voice, window)) {
      add(voice);
      voice = null;
    }
  }
  if (voice !== null) add(voice);
  return found;
}

/** @returns how many ms of `of` lie within `within`. */
function covered(of: readonly [number, number][], within: readonly [number, number][]): number {
  return of.reduce(
    (sum, [from, to]) =>
      sum + within.reduce((part, [a, b]) => part + Math.max(0, Math.min(to, b) - Math.max(from, a)), 0),
    0,
  );
}

const lengthOf = (spans: readonly [number, number][]): number => spans.reduce((sum, [from, to]) => sum + to - from, 0);
/**
 * Each recording begins after a second of the noise alone: the VAD, the filter and the choice of sound know it then.
 */
const LEAD = silence(16_000);
const spoken = recordings().map((recording) => ({ ...recording, pcm: concat(LEAD, recording.pcm, LEAD) }));

function voiceActivity(): void {
  const truth = spoken.map(({ pcm }) => voices(sessionSound(vad, pcm, filterings[0]!).windows));
  const all = truth.reduce((sum, spans) => sum + lengthOf(spans), 0);
  const rows = filterings.map((filtering) => {
    process.stderr.write(`VAD: ${filtering.name}\n`);
    const costs: number[] = [];
    const missed = (snr: number | null): number => {
      let heard = 0;
      for (const name of snr === null ? ['none'] : noises)
        for (const [at, { pcm, name: recording }] of spoken.entries()) {
          const noise = snr === null ? null : noiseOf(name, recording);
          const sound = noise === null ? pcm : addNoise(pcm, noise, snr!);
          const { windows, filterMs } = sessionSound(vad, sound, filtering);
          costs.push(filterMs);
          heard += covered(truth[at]!, voices(windows));
        }
      return 100 * (1 - heard / (all * (snr === null ? 1 : noises.length)));
    };
    const alone = noises.map((name) =>
      ratios.map((snr) => {
        const { windows } = sessionSound(
          vad,
          noiseAt(noiseOf(name).subarray(0, seconds * 16_000), VOICE_DB - snr),
          filtering,
        );
        return lengthOf(voices(windows)) / (10 * seconds);
      }),
    );
    const misses = [null, ...ratios].map(missed);
    return [
      filtering.name,
      ...alone.map((each) => each.map((percent) => percent.toFixed(0)).join(' / ')),
      misses.map((percent) => percent.toFixed(1)).join(' / '),
      costs.reduce((a, b) => a + b, 0) / costs.length,
    ];
  });
  console.log(
    `\nNoise alone that the VAD takes for a voice, % of its time, at a level ${ratios.join(', ')} dB below a voice; ` +
      `speech missed, likewise, clean and at those levels, all noises; CPU of the filter:`,
  );
  printTable(['filter', ...noises, 'missed, %', 'CPU, ms a second'], rows);
}

async function understand(decoder: Decoder, pcm: Int16Array): Promise<string> {
  decoder.start();
  for (let at = 0; at < pcm.length; at += 512) decoder.process(pcm.subarray(at, at + 512));
  decoder.end();
  const streamed = decoder.hypothesis();
  await decoder.decodeWhole(pcm);
  const again = decoder.hypothesis();
  return again.text !== '' && again.score > streamed.score ? again.text : streamed.text;
}

/** @returns what recognition gets of a sound behind a second of noise, of a user who has spoken before. */
function heardIn(windows: readonly SoundWindow[], lane: Lane): Int16Array {
  const noise = new SteadyNoise();
  for (const { vad: window } of windows) noise.hear(window);
  const isFiltered = lane === 'filtered' || (lane === 'chosen' && noise.isLoud);
  const spokenWindows = windows.slice(Math.ceil(LEAD.length / 512));
  return concat(...spokenWindows.map((window) => (isFiltered ? window.filtered : window.raw)));
}

/** Cut where the clean recording is cut, so that only recognition differs. */
async function wordErrors(decoder: Decoder): Promise<void> {
  const cut = (
    await Promise.all(
      recordings().map(async ({ name, words, pcm }) => ({
        name,
        words,
        utterances: (await segmentByVad(pcm)).map((utterance) => utterance.pcm),
      })),
    )
  ).map((each) => ({ ...each, expected: wordsOf(each.words).length }));
  const all = cut.reduce((sum, { expected }) => sum + expected, 0);
  const rows: (string | number)[][] = [];
  for (const filtering of filterings) {
    for (const lane of filtering.filters === null ? (['raw'] as const) : (['filtered', 'chosen'] as const)) {
      process.stderr.write(`Words: ${filtering.name}, ${lane}\n`);
      const row: (string | number)[] = [
        lane === 'chosen' ? `${filtering.name}, where noise is steady` : filtering.name,
      ];
      for (const noise of ['none', ...noises]) {
        const shares: string[] = [];
        for (const snr of noise === 'none' ? [null] : ratios) {
          let wrong = 0;
          // A decoder goes on from the mean of what it heard before: each condition begins after the same clean
          // sentence.
          await understand(decoder, recordings()[2]!.pcm);
          for (const { name, words, utterances } of cut) {
            const heard: string[] = [];
            for (const utterance of utterances) {
              const spoken = concat(LEAD, utterance, silence(1_024));
              const sound = snr === null ? spoken : addNoise(spoken, noiseOf(noise, name), snr);
              heard.push(await understand(decoder, heardIn(sessionSound(vad, sound, filtering).windows, lane)));
            }
            wrong += differingWords(words, heard.join(' '));
          }
          shares.push(((100 * wrong) / all).toFixed(0));
        }
        row.push(shares.join(' / '));
      }
      rows.push(row);
    }
  }
  console.log(`\nWords that PocketSphinx gets wrong, %, with the noise at ${ratios.join(', ')} dB:`);
  printTable(['filter', 'clean', ...noises], rows);
}

/** Half a minute of a voice without a gap. */
const STORY = `${Array.from({ length: 60 }, () => 'and so on').join(' ')}.`;
/** The persona begins again this long after it was stopped or has finished, ms. */
const SPEAKS_AGAIN_MS = 500;

function keepSpeaking(session: SimulatedSession): void {
  if (!session.engine.isSpeaking) session.dispatch({ type: 'client.talk', content: STORY });
  session.clock.setTimeout(() => keepSpeaking(session), SPEAKS_AGAIN_MS);
}

/** What the user says before the noise begins, and the time for the answer. */
const FIRST = concat(LEAD, voiceAt(spoken[2]!.pcm, VOICE_DB), silence(16_000 * 3));
const FIRST_MS = FIRST.length / 16;

/** The user has said something; then the persona speaks beside the noise, and whatever stops it is no user. */
async function bargeIn(decoder: Decoder): Promise<void> {
  const rows: (string | number)[][] = [];
  for (const filtering of filterings) {
    process.stderr.write(`Barge-in: ${filtering.name}\n`);
    const row: (string | number)[] = [filtering.name];
    for (const name of noises) {
      const shares: string[] = [];
      for (const snr of ratios) {
        const noise = noiseAt(noiseOf(name).subarray(0, seconds * 16_000), VOICE_DB - snr);
        const { windows } = sessionSound(vad, concat(FIRST, noise), filtering);
        let from = 0;
        const { session } = await listen(decoder, windows, {
          lane: filtering.filters === null ? 'raw' : 'chosen',
          begin(simulated) {
            from = simulated.clock.now() + FIRST_MS;
            simulated.clock.setTimeout(() => keepSpeaking(simulated), FIRST_MS);
          },
        });
        const lowered = session.timesOf('speech.duck').filter((at) => at >= from).length;
        const stopped = session.timesOf('speech.cut').filter((at) => at >= from).length;
        shares.push(`${lowered} → ${stopped}`);
      }
      row.push(shares.join(' / '));
    }
    rows.push(row);
  }
  console.log(
    `\nThe persona speaks for ${seconds} s beside the noise, ${ratios.join(', ')} dB below a voice: ` +
      `how often its voice is lowered → whether it stops:`,
  );
  printTable(['filter', ...noises], rows);
}

if (parts.includes('vad')) voiceActivity();
if (parts.includes('words') || parts.includes('barge-in')) {
  const decoder = loadPocketSphinx(MODEL_DIR).make();
  if (parts.includes('words')) await wordErrors(decoder);
  if (parts.includes('barge-in')) await bargeIn(decoder);
}
await vad.close();
process.exit(0);
