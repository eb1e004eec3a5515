import { describe, expect, it } from 'vitest';
import { closeFrame, FrameBoundary } from './frame-boundary.ts';

const frame = (opcode: number, length: number): Buffer => {
  const head =
    length < 126
      ? Buffer.from([0x80 | opcode, length])
      : length < 65_536
        ? Buffer.from([0x80 | opcode, 126, length >> 8, length & 255])
        : Buffer.from([0x80 | opcode, 127, 0, 0, 0, 0, 0, length >> 16, (length >> 8) & 255, length & 255]);
  // The bytes look like heads of frames.
  return Buffer.concat([head, Buffer.alloc(length, 0x88)]);
};

describe('A frame of one’s own may stand', () => {
  it.each([0, 1, 125, 126, 65_535, 65_536])('after a whole frame of %i bytes, and not in its middle', (length) => {
    const stream = new FrameBoundary();
    expect(stream.mayClose).toBe(true);
    const bytes = frame(1, length);
    for (const [index, byte] of bytes.entries()) {
      stream.take(Uint8Array.of(byte));
      if (index < bytes.length - 1 && stream.mayClose) expect.fail(`in the middle, at byte ${index}`);
    }
    expect(stream.mayClose).toBe(true);
    stream.take(Buffer.concat([bytes, bytes, bytes.subarray(0, 1)]));
    expect(stream.mayClose).toBe(false);
  });

  it('not after a close frame', () => {
    const stream = new FrameBoundary();
    stream.take(closeFrame(1012, 'Service restart'));
    expect(stream.mayClose).toBe(false);
  });

  it('after masked frames, as clients send them', () => {
    const stream = new FrameBoundary();
    stream.take(Buffer.from([0x81, 0x83, 1, 2, 3, 4, 0, 0]));
    expect(stream.mayClose).toBe(false);
    stream.take(Buffer.from([0]));
    expect(stream.mayClose).toBe(true);
  });
});
