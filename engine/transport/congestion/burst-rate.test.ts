import { describe, expect, it } from 'vitest';
import { lowestBurstRate } from './burst-rate.ts';

const packet = (sentAt: number, receivedAt: number | null, bytes = 1_000) => ({ at: 500, bytes, sentAt, receivedAt });

describe('packets that left at once', () => {
  it('come out as quickly as the narrowest link carries them', () => {
    expect(lowestBurstRate([packet(0, 50), packet(0, 70), packet(1, 90)])).toBe(400_000);
  });

  it('were carried also where one was lost in between', () => {
    expect(lowestBurstRate([packet(0, 50), packet(0, null), packet(0, 90)])).toBe(400_000);
  });

  it.each([
    ['single packets', [packet(0, 50), packet(40, 90), packet(80, 130)]],
    ['packets that are too small', [packet(0, 50), packet(0, 52, 40)]],
    ['packets that were read at once', [packet(0, 50), packet(0, 50)]],
    ['packets that were lost', [packet(0, null), packet(0, null)]],
  ])('say nothing: %s', (_, results) => {
    expect(lowestBurstRate(results)).toBe(Number.POSITIVE_INFINITY);
  });

  it('tell the worst of several frames', () => {
    expect(lowestBurstRate([packet(0, 50), packet(0, 51), packet(40, 100), packet(40, 120)])).toBe(400_000);
  });
});
