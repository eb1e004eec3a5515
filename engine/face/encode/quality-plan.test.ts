import { describe, expect, it } from 'vitest';
import { createVideoEncoder } from './av-encoder.ts';
import { qualityPlan } from './quality-plan.ts';

const SIZE = { width: 720, height: 480 };
const plan = (current: 'constant' | 'capped' | null, kbit: number) =>
  qualityPlan(current, kbit * 1000, SIZE.width, SIZE.height);

describe('the quality of a frame', () => {
  it('is constant where the network carries it, and does not go back and forth around one rate', () => {
    expect([plan(null, 500), plan(null, 300)]).toEqual(['constant', 'capped']);
    expect([plan('constant', 600), plan('capped', 600)]).toEqual(['constant', 'capped']);
    expect([plan('constant', 400), plan('capped', 1_000)]).toEqual(['capped', 'constant']);
  });

  it('gives way to a network that turns narrow, from a keyframe on, and comes back', () => {
    const encoder = createVideoEncoder({ codec: 'h264', ...SIZE, bitsPerSecond: 2_000_000, effort: 'live' });
    // Noise needs far more than any network here has.
    const [luma] = encoder.frame.planes;
    const second = (): { bits: number; keyframes: number } => {
      let bits = 0;
      let keyframes = 0;
      for (let frame = 0; frame < 25; frame++) {
        for (let i = 0; i < luma.length; i += 3) luma[i] = (i * 7919 + frame * 104_729) % 251;
        const encoded = encoder.encode(false);
        bits += encoded.data.length * 8;
        if (encoded.keyframe) keyframes++;
      }
      return { bits, keyframes };
    };
    const wide = second();
    encoder.setBitrate(300_000);
    const narrow = second();
    const later = second();
    encoder.setBitrate(2_000_000);
    const again = second();
    encoder.close();
    expect([wide, narrow, later, again].map(({ keyframes }) => keyframes)).toEqual([1, 1, 0, 1]);
    expect(later.bits).toBeLessThan(wide.bits / 4);
    expect(again.bits).toBeGreaterThan(later.bits * 4);
  });
});
