import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tinyCTranslate2, tinyVocabulary } from '../testing/tiny-ctranslate2.ts';
import { ConversionError } from './conversion-error.ts';
import { convertWhisper } from './whisper.ts';

const TOKENS = 15;
const CACHE = [1, 1, 448, 8];

describe('converting Whisper from CTranslate2', () => {
  let dir: string;
  beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'parley-whisper-'))));
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  function convert(model = tinyCTranslate2(), vocabulary = tinyVocabulary(), prefix = 'a') {
    writeFileSync(join(dir, 'model.bin'), model);
    writeFileSync(join(dir, 'vocabulary.txt'), vocabulary);
    const files = {
      encoder: join(dir, `${prefix}-encoder.onnx`),
      decoder: join(dir, `${prefix}-decoder.onnx`),
      tokens: join(dir, `${prefix}-tokens.txt`),
    };
    convertWhisper({ model: join(dir, 'model.bin'), vocabulary: join(dir, 'vocabulary.txt'), ...files });
    return files;
  }

  const numbers = (result: Record<string, Tensor>) => [...(result['logits'] as Tensor & { data: Float32Array }).data];
  const zeros = (shape: number[]) => new Tensor('float32', new Float32Array(shape.reduce((a, b) => a * b, 1)), shape);
  const whole = (...values: number[]) => new Tensor('int64', BigInt64Array.from(values, BigInt), [values.length]);

  async function heard(encoder: string) {
    const session = await InferenceSession.create(encoder);
    const mel = zeros([1, 80, 20]);
    (mel.data as Float32Array).forEach((_, i, all) => (all[i] = Math.sin(i)));
    return session.run({ mel });
  }

  it('gives graphs that ONNX Runtime runs, and the tokens as bytes', async () => {
    const { encoder, decoder, tokens } = convert();
    const sound = await heard(encoder);
    expect(sound['n_layer_cross_k']?.dims).toEqual([1, 2, 4, 10]);
    expect(sound['n_layer_cross_v']?.dims).toEqual([1, 2, 10, 4]);
    const session = await InferenceSession.create(decoder);
    const result = await session.run({
      tokens: whole(6, 7).reshape([1, 2]),
      in_n_layer_self_k_cache: zeros(CACHE),
      in_n_layer_self_v_cache: zeros(CACHE),
      ...sound,
      offset: whole(0),
    });
    expect(result['logits']?.dims).toEqual([1, 2, TOKENS]);
    expect(numbers(result).every(Number.isFinite)).toBe(true);
    expect(readFileSync(tokens, 'utf8').split('\n').slice(2, 5)).toEqual(['YQ== 2', 'Yg== 3', 'IA== 4']);
  });

  it('hears a token that was said before through the cache as it does in one go', async () => {
    const { encoder, decoder } = convert();
    const sound = await heard(encoder);
    const session = await InferenceSession.create(decoder);
    const run = (ids: number[], offset: number, k: Tensor, v: Tensor) =>
      session.run({
        tokens: whole(...ids).reshape([1, ids.length]),
        in_n_layer_self_k_cache: k,
        in_n_layer_self_v_cache: v,
        ...sound,
        offset: whole(offset),
      });
    const together = await run([6, 7, 2], 0, zeros(CACHE), zeros(CACHE));
    const before = await run([6, 7], 0, zeros(CACHE), zeros(CACHE));
    const after = await run(
      [2],
      2,
      before['out_n_layer_self_k_cache'] as Tensor,
      before['out_n_layer_self_v_cache'] as Tensor,
    );
    const last = numbers(together).slice(-TOKENS);
    const alone = numbers(after);
    // Activations are brought to 8 bits together or alone: nearly the same.
    alone.forEach((value, i) => expect(Math.abs(value - (last[i] as number))).toBeLessThan(0.1));
  });

  it('gives the same bytes each time', () => {
    const [a, b] = [convert(), convert(undefined, undefined, 'b')];
    for (const name of ['encoder', 'decoder', 'tokens'] as const)
      expect(readFileSync(a[name]).equals(readFileSync(b[name]))).toBe(true);
  });

  it.each<[string, Buffer, string]>([
    ['of another version', tinyCTranslate2({ version: 7 }), 'version 7'],
    ['of another kind', tinyCTranslate2({ spec: 'TransformerSpec' }), 'TransformerSpec'],
    ['that is cut off', tinyCTranslate2().subarray(0, 2_000), 'cut off'],
    ['that is empty', Buffer.alloc(0), 'cut off'],
  ])('refuses a file %s', (_, model, message) => {
    expect(() => convert(model)).toThrow(ConversionError);
    rmSync(dir, { recursive: true });
    dir = mkdtempSync(join(tmpdir(), 'parley-whisper-'));
    expect(() => convert(model)).toThrow(message);
  });

  it('refuses a vocabulary without the tokens that mean something', () => {
    expect(() => convert(undefined, 'a\nb')).toThrow('<|endoftext|>');
  });
});
