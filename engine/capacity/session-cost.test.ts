import { expect, it } from 'vitest';
import { sessionCost } from './session-cost.ts';

const FRAME_MS = 0.38;

it('what models on this machine do for a session counts, apart from its own process', () => {
  const alone = sessionCost(FRAME_MS, { recognizesHere: false });
  const heard = sessionCost(FRAME_MS, { recognizesHere: true });
  const both = sessionCost(FRAME_MS, { recognizesHere: true, speaksHere: true });
  expect(alone.cores).toBeLessThan(heard.cores);
  // 16 callers with flite and 12 with a neural voice: a third more each.
  expect(both.cores / heard.cores).toBeCloseTo(16 / 12, 1);
  expect([heard.mainThread, both.mainThread]).toEqual([alone.mainThread, alone.mainThread]);
});

/** Base reads a second of sound in 0.11 s, tiny in 0.06: they were planned alike. */
it('a model counts with what it was measured to take on this machine', () => {
  const places = (readingFactor: number | null, speakingFactor: number | null): number => {
    const work = { recognizesHere: true, speaksHere: speakingFactor !== null, readingFactor, speakingFactor };
    // The cores that carry 22 sessions without models.
    return Math.floor(
      (22 * sessionCost(FRAME_MS, { recognizesHere: false }).cores) / sessionCost(FRAME_MS, work).cores,
    );
  };
  expect([places(0.061, null), places(0.108, null), places(0.061, 0.09)]).toEqual([16, 13, 12]);
  expect(places(0.3, null)).toBeLessThan(places(0.108, null));
});
