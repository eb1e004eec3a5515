import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installedEspeakData } from '../../testing/tiny-espeak-voice.ts';
import { tinyKokoro } from '../testing/tiny-kokoro.ts';
import { ConversionError } from './conversion-error.ts';
import { convertKokoro } from './kokoro.ts';

const VOICES = Buffer.alloc(2 * 510 * 256 * 4);
const VOCABULARY = JSON.stringify({ n_token: 178, vocab: { ' ': 16, a: 43, ˈ: 156 } });

describe('converting Kokoro', () => {
  let dir: string;
  beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'parley-kokoro-'))));
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  function convert(source: Buffer, { voices = VOICES, vocabulary = VOCABULARY, to = 'made' } = {}) {
    const files = {
      source: join(dir, 'source.onnx'),
      vocabulary: join(dir, 'config.json'),
      voices: join(dir, 'voices.bin'),
      model: join(dir, `${to}.onnx`),
      tokens: join(dir, `${to}.txt`),
      espeakData: join(dir, 'espeak-ng-data'),
    };
    writeFileSync(files.source, source);
    writeFileSync(files.vocabulary, vocabulary);
    writeFileSync(files.voices, voices);
    convertKokoro(files);
    return files;
  }

  it.skipIf(installedEspeakData() === null)(
    'writes what sherpa-onnx wants to know: the voices, the phonemes, how they are pronounced; the same bytes each time',
    () => {
      const { model, tokens, espeakData } = convert(tinyKokoro());
      expect(readFileSync(tokens, 'utf8')).toBe('  16\na 43\nˈ 156\n');
      expect(readFileSync(model).includes('n_speakers\u0012\u00012')).toBe(true);
      expect(readFileSync(model).includes('MatMulIntegerToFloat')).toBe(true);
      expect(readFileSync(join(espeakData, 'phontab')).length).toBeGreaterThan(0);
      expect(readFileSync(convert(tinyKokoro(), { to: 'again' }).model).equals(readFileSync(model))).toBe(true);
    },
  );

  it.each<[string, Buffer, Parameters<typeof convert>[1], string]>([
    ['a file that is cut off', tinyKokoro().subarray(0, -9), {}, 'cut off'],
    ['a file that is none', Buffer.from('no graph'), {}, 'not one of ONNX'],
    ['an empty file', Buffer.alloc(0), {}, 'not one of ONNX'],
    ['a model of another form', tinyKokoro(undefined, { input: 'text' }), {}, 'not Kokoro'],
    ['voices of another size', tinyKokoro(), { voices: VOICES.subarray(4) }, 'not those of Kokoro'],
    ['a vocabulary of another form', tinyKokoro(), { vocabulary: '{}' }, 'vocabulary'],
  ])('refuses %s', (_, source, changes, message) => {
    expect(() => convert(source, changes)).toThrow(ConversionError);
    expect(() => convert(source, changes)).toThrow(message);
  });
});
