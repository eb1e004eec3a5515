import { expect, it } from 'vitest';
import { carriesLoop, keyframeDistance, frameStep } from './narrow-network.ts';

/** Two seconds with a keyframe of 30 KB and 2 KB for each frame after it: 480 kbit/s. */
const loop = { ends: Uint32Array.from({ length: 50 }, (_, i) => 30_000 + i * 2_000) };

it('loops are shown where a keyframe gets through within a quarter of a second', () => {
  expect(carriesLoop(loop, 2_000_000)).toBe(true);
  expect(carriesLoop(loop, 970_000)).toBe(true);
  expect(carriesLoop(loop, 950_000)).toBe(false);
});

it('loops are not shown where they need most of the network', () => {
  const rich = { ends: Uint32Array.from({ length: 50 }, (_, i) => 5_000 + i * 5_000) };
  expect(carriesLoop(rich, 1_300_000)).toBe(true);
  expect(carriesLoop(rich, 1_100_000)).toBe(false);
});

it('keyframes come by themselves every five seconds where a good one gets through, and rarely where it would be all blocks', () => {
  expect(keyframeDistance(2_000_000, 720, 480)).toBe(125);
  expect(keyframeDistance(600_000, 720, 480)).toBe(125);
  expect(keyframeDistance(500_000, 720, 480)).toBe(750);
  expect(keyframeDistance(600_000, 1152, 768)).toBe(750);
});

it('frames become fewer only when bits are very few for their size', () => {
  expect(frameStep(400_000, 720, 480)).toBe(1);
  expect(frameStep(200_000, 720, 480)).toBe(1);
  expect(frameStep(150_000, 720, 480)).toBe(2);
  expect(frameStep(500_000, 1152, 768)).toBe(1);
  expect(frameStep(350_000, 1152, 768)).toBe(2);
});
