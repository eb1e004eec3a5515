import { expect, it } from 'vitest';
import { createVideoEncoder } from './av-encoder.ts';
import { allocFrame } from './av-frame.ts';

const SIZE = { width: 320, height: 240 };

/**
 * A test drew only the luma of its frames. The same frames took 3 to 12 MB, by chance: the chroma was what the memory
 * had held before.
 */
it('a new frame is black, whatever its memory held before', () => {
  for (let time = 0; time < 3; time += 1) {
    const { frame, target } = allocFrame(SIZE);
    const [y, u, v] = target.planes.map((plane) => [...new Set(plane)]);
    expect([y, u, v]).toEqual([[16], [128], [128]]);
    for (const plane of target.planes) plane.fill(77);
    frame.free();
  }
});

it('an encoder gives the same bytes for the same frames', () => {
  const encoded = (): Buffer => {
    const encoder = createVideoEncoder({ ...SIZE, codec: 'h264', bitsPerSecond: 8_000_000, effort: 'live' });
    const [luma] = encoder.frame.planes;
    const frames = Array.from({ length: 5 }, (_, at) => {
      for (let i = 0; i < luma.length; i += 1) luma[i] = (i * 7919 + at * 104_729) % 251;
      return encoder.encode(at === 0).data;
    });
    luma.fill(200);
    for (const plane of encoder.frame.planes.slice(1)) plane.fill(7);
    encoder.close();
    return Buffer.concat(frames);
  };
  const first = encoded();
  for (let time = 0; time < 3; time += 1) expect(encoded().equals(first)).toBe(true);
});
