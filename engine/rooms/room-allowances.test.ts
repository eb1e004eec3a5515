import { describe, expect, it } from 'vitest';
import { RoomAllowances } from './room-allowances.ts';

function open() {
  const clock = { at: 0 };
  const exceeded: string[] = [];
  const allowances = new RoomAllowances(
    { now: () => clock.at },
    {
      exceeded: (kind) => exceeded.push(kind),
      tooMuch: () => void (exceeded.includes('too much') || exceeded.push('too much')),
    },
  );
  return { clock, exceeded, allowances };
}

/** 20 ms at 48 kHz. */
const CHUNK_BYTES = 1_920;

describe('what a room may send', () => {
  it('is five minutes of speech at once, and speech ten times as fast as it is said', () => {
    const { clock, exceeded, allowances } = open();
    let admitted = 0;
    const send = (chunks: number): void => {
      for (let chunk = 0; chunk < chunks; chunk += 1) if (allowances.admitsData(CHUNK_BYTES)) admitted += 1;
    };
    send(5 * 60 * 50);
    for (let second = 0; second < 60; second += 1) {
      clock.at += 1_000;
      send(500);
    }
    expect(admitted).toBe(5 * 60 * 50 + 60 * 500);
    expect(exceeded).toEqual([]);
  });

  it('is dropped above that, by number and by size, and told once', () => {
    const { clock, exceeded, allowances } = open();
    let admitted = 0;
    for (let message = 0; message < 30_000; message += 1) if (allowances.admitsData(10)) admitted += 1;
    expect(admitted).toBe(16_000);
    clock.at += 60_000;
    expect(allowances.admitsData(32 * 1024 * 1024 + 1)).toBe(false);
    expect(allowances.admitsData(CHUNK_BYTES)).toBe(true);
    expect(exceeded.filter((kind) => kind === 'data')).toEqual(['data']);
  });

  /** The library hands over what is dropped as well: 270 MB in ten seconds, and sound that came 300 ms late. */
  it('is more than a persona stays for, when as much again was dropped', () => {
    const { exceeded, allowances } = open();
    for (let message = 0; message < 36_001; message += 1) allowances.admitsData(10);
    expect(exceeded).toEqual(['data', 'too much']);
    const large = open();
    for (let chunk = 0; chunk < 1_398; chunk += 1) large.allowances.admitsData(48_000);
    expect(large.exceeded).toEqual(['data']);
    for (let chunk = 0; chunk < 2; chunk += 1) large.allowances.admitsData(48_000);
    expect(large.exceeded).toEqual(['data', 'too much']);
  });

  it('is a report for each frame, and no flood of them', () => {
    const { clock, exceeded, allowances } = open();
    for (let second = 0; second < 60; second += 1) {
      clock.at += 1_000;
      for (let report = 0; report < 100; report += 1) expect(allowances.admitsFeedback()).toBe(true);
    }
    clock.at += 60_000;
    let admitted = 0;
    for (let report = 0; report < 100_000; report += 1) if (allowances.admitsFeedback()) admitted += 1;
    expect(admitted).toBe(1_000);
    expect(exceeded).toEqual(['feedback']);
  });
});
