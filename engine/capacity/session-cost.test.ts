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
