import { expect, it } from 'vitest';
import type { SenderState } from '../connection-state.ts';
import { skipAhead } from './skip-ahead.ts';

const STATE: SenderState = {
  cname: 'name',
  video: { ssrc: 1, sequence: 65_500, timestamp: 2 ** 32 - 90, packets: 7, octets: 70 },
  audio: { ssrc: 2, sequence: 100, timestamp: 480, packets: 5, octets: 50 },
  rtx: { ssrc: 3, sequence: 10 },
  pictureId: 0x7fff,
  transportSequence: 65_535,
};

it('lets timestamps of both streams go on with the time that has passed', () => {
  const { video, audio } = skipAhead(STATE, 2_000);
  expect(video.timestamp).toBe(2_000 * 90 - 90);
  expect(audio.timestamp).toBe(480 + 2_000 * 48);
});

it('uses no number that may have been used meanwhile, and none that looks old', () => {
  for (const elapsedMs of [0, 20, 1_500, 60_000, 7_200_000]) {
    const next = skipAhead(STATE, elapsedMs);
    const ahead = (a: number, b: number, bits = 16): number => (a - b + 2 ** bits) % 2 ** bits;
    expect(ahead(next.audio.sequence, STATE.audio.sequence)).toBeGreaterThanOrEqual(Math.min(2 ** 14, elapsedMs / 20));
    for (const skipped of [
      ahead(next.video.sequence, STATE.video.sequence),
      ahead(next.rtx.sequence, STATE.rtx.sequence),
      ahead(next.transportSequence, STATE.transportSequence),
    ]) {
      expect(skipped).toBeGreaterThanOrEqual(Math.min(2 ** 14, elapsedMs));
      expect(skipped).toBeLessThan(2 ** 15);
    }
    expect(ahead(next.pictureId, STATE.pictureId, 15)).toBeLessThan(2 ** 15);
  }
});

it('keeps what identifies the streams, and their counts', () => {
  const next = skipAhead(STATE, 500);
  expect([next.cname, next.video.ssrc, next.audio.ssrc, next.rtx.ssrc]).toEqual(['name', 1, 2, 3]);
  expect([next.video.packets, next.video.octets, next.audio.packets]).toEqual([7, 70, 5]);
});
