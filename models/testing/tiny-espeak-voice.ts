import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineOf } from '../packages/model-package.ts';
import { tinyModel, type TinyModel } from './tiny-onnx.ts';

/** Phonemes as espeak-ng writes them, and what Piper models put around them. */
const PHONEMES = [..."_^$ !'(),-.:;?abcdefhijklmnopqrstuvwxyzæçðøŋœɐɑɒɔɕɖəɚɛɜɟɡɣɥɨɪɫɬɯɲɳɹɻɾʀʁʂʃʈʊʋʌʎʏʐʑʒʔʝˈˌːβθχᵻ"];
/** Half a phoneme of speech. */
const SAMPLES = 800;
const RATES = { vits: 22_050, kitten: 24_000, kokoro: 24_000 } as const;
const SPEAKERS = 8;
const STYLE = 16;
/** Styles that Kokoro has for texts of different lengths. */
const KOKORO_STYLES = 510;

type Type = keyof typeof RATES;

/** Where Debian's espeak-ng-data has its files; null where it is not installed. */
export function installedEspeakData(): string | null {
  const folders = ['/usr/share', ...readdirSync('/usr/lib').map((name) => join('/usr/lib', name))];
  return (
    folders.map((folder) => join(folder, 'espeak-ng-data')).find((path) => existsSync(join(path, 'phontab'))) ?? null
  );
}

/**
 * Writes a voice of the real form of a Piper (`vits`), Kitten or Kokoro model, which says every phoneme as the same
 * tone.
 * @param espeakData is copied. @returns its engine, as a package names it.
 */
export function writeTinyEspeakVoice<T extends Type>(folder: string, type: T, espeakData: string): EngineOf<T> {
  mkdirSync(folder, { recursive: true });
  cpSync(espeakData, join(folder, 'espeak-ng-data'), { recursive: true });
  writeFileSync(join(folder, 'tokens.txt'), `${PHONEMES.map((phoneme, id) => `${phoneme} ${id}`).join('\n')}\n`);
  writeFileSync(join(folder, 'model.onnx'), model(type));
  const files = { model: 'model.onnx', tokens: 'tokens.txt', espeakData: 'espeak-ng-data' };
  if (type === 'vits') return { type, ...files } as unknown as EngineOf<T>;
  const styles = SPEAKERS * STYLE * (type === 'kokoro' ? KOKORO_STYLES : 1);
  writeFileSync(join(folder, 'voices.bin'), Buffer.from(new Float32Array(styles).buffer));
  return { type, ...files, voices: 'voices.bin' } as unknown as EngineOf<T>;
}

function model(type: Type): Buffer {
  const rate = RATES[type];
  const sounds = new Float32Array(PHONEMES.length * SAMPLES).map(
    (_, k) => 0.3 * Math.sin((2 * Math.PI * 200 * (k % SAMPLES)) / rate),
  );
  const phonemes = { vits: 'input', kitten: 'input_ids', kokoro: 'tokens' }[type];
  const inputs: Record<Type, TinyModel['inputs']> = {
    vits: [
      { name: phonemes, dims: ['N', 'L'], type: 'int64' },
      { name: 'input_lengths', dims: ['N'], type: 'int64' },
      { name: 'scales', dims: [3] },
    ],
    kitten: [
      { name: phonemes, dims: [1, 'L'], type: 'int64' },
      { name: 'style', dims: [1, STYLE] },
      { name: 'speed', dims: [1] },
    ],
    kokoro: [
      { name: phonemes, dims: [1, 'L'], type: 'int64' },
      { name: 'style', dims: [1, STYLE] },
      { name: 'speed', dims: [1] },
    ],
  };
  const metadata: Record<Type, Record<string, string>> = {
    vits: { model_type: 'vits', comment: 'piper', n_speakers: '1' },
    kitten: { model_type: 'kitten-tts', n_speakers: String(SPEAKERS), style_dim: `1,${STYLE}` },
    kokoro: { model_type: 'kokoro', n_speakers: String(SPEAKERS), style_dim: `${KOKORO_STYLES},1,${STYLE}` },
  };
  const shape = type === 'vits' ? [1, 1, -1] : [-1];
  return tinyModel({
    inputs: inputs[type],
    weights: [
      { name: 'sounds', dims: [PHONEMES.length, SAMPLES], values: sounds },
      { name: 'shape', dims: [shape.length], values: shape, type: 'int64' },
    ],
    nodes: [
      { type: 'Gather', input: ['sounds', phonemes], output: 'spoken', attributes: { axis: 0 } },
      { type: 'Reshape', input: ['spoken', 'shape'], output: 'audio' },
    ],
    outputs: [{ name: 'audio', dims: type === 'vits' ? [1, 1, 'S'] : ['S'] }],
    metadata: {
      ...metadata[type],
      sample_rate: String(rate),
      language: 'English',
      voice: 'en-us',
      has_espeak: '1',
      version: '1',
      add_blank: '1',
    },
  });
}
