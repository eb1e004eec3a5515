import { expect, it } from 'vitest';
import { FRAME_MS } from '../frame-rate.ts';
import { HalfRateHead } from './half-rate-head.ts';
import { NEUTRAL_FACE } from './face-state.ts';

const moving = (i: number) => ({ ...NEUTRAL_FACE, yaw: i / 10, breath: i / 10, mouthOpen: i / 10 });

it('moves the head with every second frame, and the mouth with each', () => {
  const head = new HalfRateHead();
  const shown = [1, 2, 3, 4].map((i) => head.hold(moving(i), i * FRAME_MS));
  expect(shown.map(({ yaw }) => yaw)).toEqual([0.1, 0.1, 0.3, 0.3]);
  expect(shown.map(({ breath }) => breath)).toEqual([0.1, 0.1, 0.3, 0.3]);
  expect(shown.map(({ mouthOpen }) => mouthOpen)).toEqual([0.1, 0.2, 0.3, 0.4]);
});

it('moves it with every frame where there are only half as many', () => {
  const head = new HalfRateHead();
  expect([2, 4, 6].map((i) => head.hold(moving(i), i * FRAME_MS).yaw)).toEqual([0.2, 0.4, 0.6]);
});
