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

/** Faces of 640×360 ended their video workers: they are drawn in whole blocks, and 360 are 22.5 of them. */
it('a picture that ends within a block is drawn in whole blocks, and has its own size', () => {
  const encoder = createVideoEncoder({ width: 640, height: 360, codec: 'vp8', bitsPerSecond: 800_000, effort: 'live' });
  const { width, height, planes, strides } = encoder.frame;
  expect([width, height]).toEqual([640, 368]);
  planes.forEach((plane, index) =>
    expect(plane.length).toBeGreaterThanOrEqual(strides[index]! * (index === 0 ? 368 : 184)),
  );
  for (const plane of planes) plane.fill(99);
  const { data } = encoder.encode(true, [{ x: 0, y: 352, width: 640, height: 16 }]);
  const view = new DataView(data.buffer, data.byteOffset);
  // RFC 6386, section 9.1.
  expect([view.getUint16(6, true), view.getUint16(8, true)]).toEqual([640, 360]);
  encoder.close();
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
