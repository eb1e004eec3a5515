import { expect, it } from 'vitest';
import { PreConnectFrames } from './pre-connect-frames.ts';

const frame = (at: number, keyframe = false) => ({ data: Uint8Array.of(at), keyframe, at });

it('keeps a keyframe and what follows, and shows the last of them now', () => {
  const early = new PreConnectFrames();
  for (const each of [frame(0), frame(40, true), frame(80), frame(120)]) early.add(each);
  const frames = early.take(150);
  expect(frames.map(({ data }) => data[0])).toEqual([40, 80, 120]);
  expect(frames.map(({ at }) => at)).toEqual([148, 149, 150]);
  expect(frames[0]?.keyframe).toBe(true);
  expect(early.take(150)).toEqual([]);
});

it('keeps nothing before the newest keyframe', () => {
  const early = new PreConnectFrames();
  for (const each of [frame(40, true), frame(80), frame(120, true)]) early.add(each);
  expect(early.take(130).map(({ data }) => data[0])).toEqual([120]);
});

it('keeps nothing after a frame that was left out', () => {
  const early = new PreConnectFrames();
  early.add(frame(40, true));
  early.clear();
  early.add(frame(120));
  expect(early.take(130)).toEqual([]);
});

it('keeps nothing for a client that takes more than a second', () => {
  const early = new PreConnectFrames();
  early.add(frame(0, true));
  for (let at = 40; at <= 1_200; at += 40) early.add(frame(at));
  expect(early.take(1_300)).toEqual([]);
});
