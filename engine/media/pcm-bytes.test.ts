import { expect, it } from 'vitest';
import { monoSamples } from './pcm-bytes.ts';

const bytesOf = (...samples: number[]) => new Uint8Array(Int16Array.from(samples).buffer);

it('mixes two channels down without overflow, and leaves out what is not whole', () => {
  expect(monoSamples(bytesOf(1, -2, 300), 1)).toEqual(Int16Array.of(1, -2, 300));
  expect(monoSamples(bytesOf(100, 300, -32_768, -32_768, 7), 2)).toEqual(Int16Array.of(200, -32_768));
  expect(monoSamples(bytesOf(1, 2).subarray(0, 3), 1)).toEqual(Int16Array.of(1));
  expect(monoSamples(new Uint8Array(1), 2)).toEqual(new Int16Array(0));
});

it('reads from an odd address, and from the middle of a pool', () => {
  expect(monoSamples(new Uint8Array([9, ...bytesOf(5, -6)]).subarray(1), 1)).toEqual(Int16Array.of(5, -6));
  expect(monoSamples(Buffer.from('AQACAA==', 'base64'), 1)).toEqual(Int16Array.of(1, 2));
});
