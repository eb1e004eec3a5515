import { expect, it } from 'vitest';
import { PcmBytes } from './pcm-bytes.ts';

it('gathers single bytes to audio frames and loses no sample', () => {
  const samples = Int16Array.from({ length: 2_000 }, (_, index) => index * 7 - 9_000);
  const sent = Buffer.concat([Buffer.from(samples.buffer), Buffer.of(1)]);
  const bytes = new PcmBytes();
  const pieces = [...sent].map((byte) => bytes.push(Uint8Array.of(byte))).filter(({ length }) => length > 0);
  expect(pieces.map(({ length }) => length)).toEqual([480, 480, 480, 480]);
  expect([...pieces, bytes.rest()].flatMap((piece) => [...piece])).toEqual([...samples]);
  expect(bytes.rest()).toHaveLength(0);
});
