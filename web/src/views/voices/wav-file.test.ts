import { expect, it } from 'vitest';
import { wavFile } from './wav-file.ts';

it('writes a header and 16 bits a sample, none of them louder than they can be', () => {
  const file = Buffer.from(wavFile(Float32Array.of(0, 0.5, -1, 2), 48_000));
  expect(file.toString('latin1', 0, 4) + file.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ');
  expect(file.readUInt32LE(4)).toBe(file.length - 8);
  expect([file.readUInt32LE(24), file.readUInt16LE(34), file.readUInt32LE(40)]).toEqual([48_000, 16, 8]);
  expect([44, 46, 48, 50].map((at) => file.readInt16LE(at))).toEqual([0, 16_384, -32_767, 32_767]);
});
