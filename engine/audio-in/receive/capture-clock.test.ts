import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CaptureClock } from './capture-clock.ts';

const FRAME = 960;

describe('the time of capture', () => {
  test('is the arrival of the fastest packets, whatever the jitter of the others', () => {
    const clock = new CaptureClock();
    const start = 1_700_000_000_000;
    let timestamp = 0;
    for (const [index, jitter] of [0, 15, 40, 3, 80, 0, 25].entries())
      timestamp = clock.observe(5_000 + index * FRAME, FRAME, start + 20 * (index + 1) + jitter);
    expect(clock.timeOf(timestamp + FRAME)).toBeCloseTo(start + 140, 2);
  });

  test('is not moved by jitter once a fast packet was seen', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 100 }), (jitters) => {
        const clock = new CaptureClock();
        clock.observe(0, FRAME, 20);
        jitters.forEach((jitter, index) => {
          const at = clock.observe((index + 1) * FRAME, FRAME, 20 * (index + 2) + jitter);
          expect(clock.timeOf(at + FRAME)).toBeCloseTo(20 * (index + 2), 6);
        });
      }),
    );
  });

  test('goes on when the timestamp passes 32 bits', () => {
    const clock = new CaptureClock();
    clock.observe(2 ** 32 - FRAME, FRAME, 20);
    const at = clock.observe(0, FRAME, 40);
    expect(clock.timeOf(at + FRAME)).toBeCloseTo(40, 6);
  });

  test('follows a sender whose clock is slow', () => {
    const clock = new CaptureClock();
    let at = 0;
    const arrival = (index: number) => 20 * 1.0002 * (index + 1);
    for (let index = 0; index < 6_000; index++) at = clock.observe(index * FRAME, FRAME, arrival(index));
    // 24 ms behind after two minutes, and caught up to within the two buckets.
    expect(Math.abs(clock.timeOf(at + FRAME) - arrival(5_999))).toBeLessThan(2.5);
  });

  test('takes a wholly different timestamp for a new count', () => {
    const clock = new CaptureClock();
    clock.observe(1_000, FRAME, 20);
    const at = clock.observe(3_000_000_000, FRAME, 40);
    expect(clock.timeOf(at + FRAME)).toBeCloseTo(40, 6);
  });

  /**
   * `bench/real-conversation`: a microphone stood still for 9.3 s between two sentences, and its next timestamp followed the last
   * one. The second sentence counted as said 9.3 s ago, half a second after the first one.
   */
  test('of a sender whose clock stood still is known 0.2 s after it goes on', () => {
    const clock = new CaptureClock();
    for (let index = 0; index < 500; index++) clock.observe(index * FRAME, FRAME, 20 * (index + 1));
    let at = 0;
    for (let index = 500; index < 520; index++) at = clock.observe(index * FRAME, FRAME, 20 * (index + 1) + 9_300);
    expect(clock.timeOf(at + FRAME)).toBeCloseTo(20 * 520 + 9_300, 6);
  });

  test('is in the past for what a network held up and then delivers at twice the speed', () => {
    const clock = new CaptureClock();
    for (let index = 0; index < 500; index++) clock.observe(index * FRAME, FRAME, 20 * (index + 1));
    let at = 0;
    for (let index = 500; index < 530; index++)
      at = clock.observe(index * FRAME, FRAME, 20 * 500 + 4_000 + 10 * (index - 500));
    expect(clock.timeOf(at + FRAME)).toBeCloseTo(20 * 530, 6);
  });
});
