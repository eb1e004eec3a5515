import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { floatsOf, int64Tensor, loadOnnxGraph } from '../../onnx.ts';
import { TINY_BERT, tinyBertConfig, tinyBertWeights, tinySafetensors } from '../testing/tiny-bert.ts';
import { convertBert } from './bert.ts';
import { ConversionError } from './conversion-error.ts';

describe('converting a BERT that embeds texts', () => {
  let dir: string;
  beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'parley-bert-'))));
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  function convert(weights = tinySafetensors(), config = tinyBertConfig(), name = 'model.onnx'): string {
    const files = { weights: join(dir, 'weights'), config: join(dir, 'config.json'), model: join(dir, name) };
    writeFileSync(files.weights, weights);
    writeFileSync(files.config, config);
    convertBert(files);
    return files.model;
  }

  function embed(model: string, tokens: readonly number[]): number[] {
    const graph = loadOnnxGraph(model);
    const vector = floatsOf(graph.run({ tokens: int64Tensor(tokens, [1, tokens.length]) }), 'vector');
    graph.close();
    return [...vector];
  }

  it.each([[[2, 5, 3]], [[2, 6, 7, 9, 10, 11, 3]]])('gives the vector that its weights mean: %j', (tokens) => {
    const found = embed(convert(), tokens);
    const wanted = reference(tokens);
    expect(Math.hypot(...found)).toBeCloseTo(1, 5);
    // Weights of 8 bits are a little off.
    expect(found.reduce((sum, value, i) => sum + value * wanted[i]!, 0)).toBeGreaterThan(0.99);
  });

  it('gives the same bytes each time', () => {
    const [a, b] = [convert(), convert(undefined, undefined, 'again.onnx')];
    expect(readFileSync(a).equals(readFileSync(b))).toBe(true);
  });

  it.each<[string, Buffer, string, string]>([
    ['weights that are cut off', tinySafetensors().subarray(0, -8), tinyBertConfig(), 'cut off'],
    ['a file that is none', Buffer.from('{"no": "safetensors"}'), tinyBertConfig(), 'not one of safetensors'],
    ['an empty file', Buffer.alloc(0), tinyBertConfig(), 'cut off'],
    ['numbers of another type', tinySafetensors(undefined, 'I64'), tinyBertConfig(), 'the type I64'],
    [
      'weights of fewer layers',
      tinySafetensors(),
      tinyBertConfig({ num_hidden_layers: 3 }),
      'no weights encoder.layer.2',
    ],
    ['a model of another form', tinySafetensors(), tinyBertConfig({ model_type: 'gpt2' }), 'not one of BERT'],
    ['heads that do not divide the width', tinySafetensors(), tinyBertConfig({ num_attention_heads: 3 }), '3 heads'],
  ])('refuses %s', (_, weights, config, message) => {
    expect(() => convert(weights, config)).toThrow(ConversionError);
    expect(() => convert(weights, config)).toThrow(message);
  });
});

/** The same in the plainest form, with the weights as they are. */
function reference(tokens: readonly number[]): number[] {
  const { width, heads, layers } = TINY_BERT;
  const weights = tinyBertWeights();
  const of = (name: string): Float32Array => weights.get(name)!.data;
  const row = (name: string, index: number): number[] => [...of(name).subarray(index * width, (index + 1) * width)];
  const add = (a: number[], b: number[]): number[] => a.map((value, i) => value + b[i]!);
  const norm = (x: number[], name: string): number[] => {
    const mean = x.reduce((sum, value) => sum + value, 0) / x.length;
    const deviation = Math.sqrt(x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / x.length);
    return x.map((value, i) => ((value - mean) / deviation) * of(`${name}.weight`)[i]! + of(`${name}.bias`)[i]!);
  };
  const linear = (x: number[], name: string): number[] =>
    [...of(`${name}.bias`)].map((bias, r) =>
      x.reduce((sum, value, c) => sum + value * of(`${name}.weight`)[r * x.length + c]!, bias),
    );
  const gelu = (x: number): number => (x / 2) * (1 + erf(x / Math.SQRT2));
  let xs = tokens.map((token, place) => {
    const placed = add(
      row('embeddings.word_embeddings.weight', token),
      row('embeddings.position_embeddings.weight', place),
    );
    return norm(add(placed, row('embeddings.token_type_embeddings.weight', 0)), 'embeddings.LayerNorm');
  });
  for (let layer = 0; layer < layers; layer++) {
    const name = `encoder.layer.${layer}`;
    const [queries, keys, values] = ['query', 'key', 'value'].map((part) =>
      xs.map((x) => linear(x, `${name}.attention.self.${part}`)),
    ) as [number[][], number[][], number[][]];
    xs = xs.map((x, at) => {
      const mixed = x.map((_, i) => {
        const from = Math.floor(i / (width / heads)) * (width / heads);
        const score = (key: number[]): number => {
          let sum = 0;
          for (let d = from; d < from + width / heads; d++) sum += queries[at]![d]! * key[d]!;
          return Math.exp(sum / Math.sqrt(width / heads));
        };
        const scores = keys.map(score);
        const total = scores.reduce((sum, value) => sum + value, 0);
        return scores.reduce((sum, value, other) => sum + (value / total) * values[other]![i]!, 0);
      });
      const attended = norm(
        add(x, linear(mixed, `${name}.attention.output.dense`)),
        `${name}.attention.output.LayerNorm`,
      );
      const inner = linear(attended, `${name}.intermediate.dense`).map(gelu);
      return norm(add(attended, linear(inner, `${name}.output.dense`)), `${name}.output.LayerNorm`);
    });
  }
  const mean = xs[0]!.map((_, i) => xs.reduce((sum, x) => sum + x[i]!, 0) / xs.length);
  return mean.map((value) => value / Math.hypot(...mean));
}

/** By its series, exact for small numbers. */
function erf(x: number): number {
  let [sum, term] = [x, x];
  for (let n = 1; n < 60; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}
