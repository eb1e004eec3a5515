import { expect, it } from 'vitest';
import { VadQueue } from './vad-queue.ts';

const window = (levelDb: number, endsAt = 0, follows: 'previous' | 'pause' = 'previous') => ({
  raw: new Float32Array(512),
  filtered: null,
  levelDb,
  endsAt,
  follows,
});

/** @returns levels of what was judged, with `known` for what was judged a second time only for the model's memory. */
function judge(queue: VadQueue, levels: readonly number[], probability: number): string[] {
  const seen: string[] = [];
  for (const level of levels) {
    queue.push([window(level)]);
    for (;;) {
      const due = queue.next(({ levelDb }) => seen.push(`quiet ${levelDb}`));
      if (due === null) break;
      seen.push(`${due.result === 'wanted' ? 'judged' : 'known'} ${due.window.levelDb}`);
      queue.judged(due, probability);
    }
  }
  return seen;
}

const room = (windows: number, levelDb = -66): number[] => Array.from({ length: windows }, () => levelDb);

it('judges no window of a quiet room after half a second', () => {
  const queue = new VadQueue();
  expect(judge(queue, room(17), 0.01).every((seen) => seen === 'judged -66')).toBe(true);
  expect(judge(queue, room(20), 0.01).every((seen) => seen === 'quiet -66')).toBe(true);
});

it('judges what is louder than the room at once, after the sound before it', () => {
  const queue = new VadQueue();
  judge(queue, room(40), 0.01);
  expect(judge(queue, [-40, -30], 0.9)).toEqual(['known -66', 'known -66', 'known -66', 'judged -40', 'judged -30']);
});

it('judges the pauses of somebody who speaks', () => {
  const queue = new VadQueue();
  judge(queue, room(40), 0.01);
  judge(queue, [-30], 0.9);
  expect(judge(queue, room(16), 0.01).every((seen) => seen === 'judged -66')).toBe(true);
  expect(judge(queue, room(1), 0.01)).toEqual(['quiet -66']);
});

it('judges a voice that is as soft as the room was loud', () => {
  const queue = new VadQueue();
  judge(queue, room(40, -30), 0.01);
  // The fan was switched off.
  judge(queue, room(60, -66), 0.01);
  expect(judge(queue, [-45], 0.9).at(-1)).toBe('judged -45');
});

it('judges a voice that swells slowly', () => {
  const queue = new VadQueue();
  judge(queue, room(40), 0.01);
  const swelling = Array.from({ length: 100 }, (_, i) => -66 + i * 0.1);
  expect(judge(queue, swelling, 0.9).at(-1)).toMatch(/^judged/);
});

it('learns a room that becomes louder', () => {
  const queue = new VadQueue();
  judge(queue, room(40), 0.01);
  judge(queue, room(60, -50), 0.01);
  expect(judge(queue, room(1, -50), 0.01)).toEqual(['quiet -50']);
});

it('judges the first window after an outage, without the sound before it', () => {
  const queue = new VadQueue();
  judge(queue, room(40), 0.01);
  queue.push([window(-66, 0, 'pause')]);
  expect(queue.next(() => {})).toMatchObject({ result: 'wanted', window: { follows: 'pause' } });
});

it('never rests while the model hears something in the room', () => {
  const queue = new VadQueue();
  expect(judge(queue, room(60), 0.3).every((seen) => seen === 'judged -66')).toBe(true);
});
