import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { executionProvider } from '../models/sherpa/execution.ts';
import { packageFolder, packageState } from '../models/packages/installed.ts';
import { knownPackages } from '../models/packages/known.ts';
import type { ModelPackage } from '../models/packages/model-package.ts';
import { RateConverter } from '../models/rate-converter.ts';
import { toFloat, toPcm16 } from '../models/sherpa/samples.ts';
import { isVoiceEngine, loadFinalPass, loadVoice, type LoadedVoice } from '../models/sherpa/sherpa-onnx.ts';
import { trialSentence } from '../models/sherpa/trial-sentences.ts';
import { differingWords, wordsOf } from '../models/testing/sounds.ts';
import { printTable } from './lib/table.ts';

/**
 * What each neural voice of a folder (`node scripts/models.ts fetch` fetches them) takes of one thread for a second of sound,
 * and how much of a sentence Whisper base understands, where it is there, too. One voice of each language and accent; the
 * best of the runs counts, because whatever else runs makes them slower.
 *
 *   node bench/local-voices.ts [--models data/models] [--only kokoro] [--all] [--runs 2]
 *
 * `--only` takes packages with this in their names, `--all` every voice.
 */
const { values: args } = parseArgs({
  options: {
    models: { type: 'string', default: 'data/models' },
    only: { type: 'string', default: '' },
    all: { type: 'boolean', default: false },
    runs: { type: 'string', default: '2' },
  },
});
const modelsDir = resolve(args.models);
const known = knownPackages(process.env['PARLEY_MODELS_LIST'] || null);
const ONE_THREAD = { provider: executionProvider(), threads: 1 };
const WHISPER_RATE = 16_000;

type Voice = ModelPackage['voices'][number];

interface Spoken {
  /** CPU for a second of sound, s. */
  readonly cost: number;
  readonly samples: Float32Array;
  readonly sampleRate: number;
}

async function speak(model: LoadedVoice, { speaker, lang }: Voice, text: string): Promise<Spoken> {
  const spoken: Spoken[] = [];
  for (let run = 0; run < Number(args.runs); run++) {
    const before = process.cpuUsage();
    const { samples, sampleRate } = await model.speak(text, speaker, 1, lang);
    const { user, system } = process.cpuUsage(before);
    spoken.push({ cost: (user + system) / 1e6 / (samples.length / sampleRate), samples, sampleRate });
  }
  return spoken.toSorted((a, b) => a.cost - b.cost)[0] as Spoken;
}

async function openEars(): Promise<((spoken: Spoken, language: string) => Promise<string>) | null> {
  const whisper = known.find(({ id }) => id === 'whisper-base');
  if (whisper?.engine.type !== 'whisper' || (await packageState(modelsDir, whisper)) !== 'installed') return null;
  const read = loadFinalPass(whisper.engine, { folder: packageFolder(modelsDir, whisper), ...ONE_THREAD });
  return async ({ samples, sampleRate }, language) => {
    // The library ends the process over no sound at all.
    if (samples.length === 0) return '';
    const pcm = new RateConverter(sampleRate, WHISPER_RATE).convert(toPcm16(samples));
    return read(toFloat(pcm), { language, care: 'careful' });
  };
}

/** Without accents: Whisper writes them, or does not. */
function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('’', ' ').replaceAll("'", ' ');
}

const hear = await openEars();
if (hear === null) console.log(`Nobody listens: there is no whisper-base in ${modelsDir}.`);
const rows: (string | number)[][] = [];
for (const each of known) {
  const { engine, id, languages } = each;
  if (!isVoiceEngine(engine) || !id.includes(args.only)) continue;
  if ((await packageState(modelsDir, each)) !== 'installed') continue;
  const model = loadVoice(engine, { folder: packageFolder(modelsDir, each), ...ONE_THREAD });
  const heard = new Set<string>();
  for (const voice of each.voices) {
    const accent = voice.lang ?? voice.language ?? languages[0] ?? 'en';
    if (!args.all && heard.has(accent)) continue;
    heard.add(accent);
    const language = voice.language ?? languages[0] ?? 'en';
    const text = trialSentence([language]);
    const spoken = await speak(model, voice, text);
    const words = (await hear?.(spoken, language)) ?? '–';
    const count = wordsOf(plain(text)).length;
    // Whisper writes Hindi in one alphabet or another.
    const wrong = hear === null || count === 0 ? '–' : `${differingWords(plain(text), plain(words))}/${count}`;
    rows.push([`${id}/${voice.id}`, accent, spoken.cost, wrong, words.trim()]);
  }
}
printTable(['voice', 'accent', 'CPU s for a second', 'words wrong', 'heard'], rows);
