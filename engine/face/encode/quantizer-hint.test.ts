import { describe, expect, it } from 'vitest';
import { createVideoEncoder } from './av-encoder.ts';

const SIZE = { width: 720, height: 480 };

describe('a VP8 encoder', () => {
  it('follows a network that turns narrow and wide again without a keyframe', () => {
    const encoder = createVideoEncoder({ codec: 'vp8', ...SIZE, bitsPerSecond: 2_000_000, effort: 'live' });
    const [luma, ...chroma] = encoder.frame.planes;
    for (const plane of chroma) plane.fill(128);
    let frame = 0;
    /** A patch of noise moves over the frame. */
    const second = (): { bits: number; keyframes: number; coarse: boolean } => {
      let [bits, keyframes, coarse] = [0, 0, false];
      for (const end = frame + 25; frame < end; frame++) {
        luma.fill(90);
        for (let y = 0; y < 64; y++)
          for (let x = 0; x < 64; x++)
            luma[(y + 64) * SIZE.width + x + frame * 4] = (x * 7_919 + y * 104_729 + frame * 31) % 200;
        const encoded = encoder.encode(false);
        bits += encoded.data.length * 8;
        if (encoded.keyframe) keyframes += 1;
        // RFC 6386, 9.3 and 7.2: the first bit after the frame's tag says whether there are segments, which is how the
        // quantizer differs.
        coarse = encoded.data[3]! >= 128;
      }
      return { bits, keyframes, coarse };
    };
    const first = second();
    const wide = second();
    encoder.setBitrate(130_000);
    second();
    const narrow = second();
    encoder.setBitrate(2_000_000);
    second();
    const again = second();
    encoder.close();
    expect([first, wide, narrow, again].map(({ keyframes }) => keyframes)).toEqual([1, 0, 0, 0]);
    expect(narrow.bits).toBeLessThan(160_000);
    expect(again.bits).toBeGreaterThan(0.9 * wide.bits);
    // libvpx kept the last offset if it got none: a frame that was meant to be the best was a little worse.
    expect([wide, narrow, again].map(({ coarse }) => coarse)).toEqual([false, true, false]);
  });
});
