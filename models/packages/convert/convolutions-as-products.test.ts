import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { floatsOf, floatTensor, int64Tensor, loadOnnxGraph } from '../../onnx.ts';
import { TINY_KOKORO, tinyKokoro, type TinyConvolution } from '../testing/tiny-kokoro.ts';
import { convolutionsAsProducts } from './convolutions-as-products.ts';
import { OnnxFile } from './onnx-file.ts';

describe('convolutions of 8 bits as products of matrices', () => {
  let dir: string;
  beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'parley-convolutions-'))));
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  function converted(source: Buffer): { before: Float32Array; after: Float32Array; replaced: number; left: boolean } {
    const [from, to] = [join(dir, 'source.onnx'), join(dir, 'made.onnx')];
    writeFileSync(from, source);
    const file = new OnnxFile(source);
    const replaced = convolutionsAsProducts(file);
    file.write(to, Buffer.alloc(0));
    return { before: run(from), after: run(to), replaced, left: readFileSync(to).includes('ConvInteger') };
  }

  function run(path: string): Float32Array {
    const graph = loadOnnxGraph(path);
    const { channels, time } = TINY_KOKORO;
    const style = Float32Array.from({ length: channels * time }, (_, k) => Math.sin(k * k));
    const audio = floatsOf(
      graph.run({
        tokens: int64Tensor([1, 2], [1, 2]),
        style: floatTensor(style, [1, channels, time]),
        speed: floatTensor(Float32Array.of(1), [1]),
      }),
      'audio',
    );
    graph.close();
    return audio;
  }

  it.each<[string, TinyConvolution]>([
    ['of three steps', { kernel: 3, distance: 1, pads: [1, 1], bias: true }],
    ['of steps that lie apart', { kernel: 5, distance: 3, pads: [6, 6], bias: true }],
    ['of one step', { kernel: 1, distance: 1, pads: [0, 0], bias: true }],
    ['without a bias', { kernel: 3, distance: 1, pads: [1, 1], bias: false }],
    ['that makes the sound shorter', { kernel: 3, distance: 2, pads: [1, 0], bias: true }],
  ])('give the same: one %s', (_, convolution) => {
    const { before, after, replaced, left } = converted(tinyKokoro(convolution));
    expect([replaced, left]).toEqual([1, false]);
    expect(after.length).toBe(before.length);
    // The bias is no more rounded down to a step of the sums.
    for (const [index, value] of after.entries()) expect(Math.abs(value - before[index]!)).toBeLessThan(1e-3);
    expect(Math.max(...before) - Math.min(...before)).toBeGreaterThan(1);
  });

  it('leave one as it is that skips steps', () => {
    const source = tinyKokoro({ kernel: 3, distance: 1, pads: [1, 1], bias: true }, { skipping: true });
    const { before, after, replaced, left } = converted(source);
    expect([replaced, left]).toEqual([1, true]);
    expect(after.length).toBe(before.length);
  });
});
