import { expect, it } from 'vitest';
import { SegmentLedger } from './segment-ledger.ts';

it('is full while a thousand segments wait, and not any more when one is over', () => {
  const ledger = new SegmentLedger();
  for (let segment = 0; segment < 1_000; segment += 1) {
    expect(ledger.isFull).toBe(false);
    ledger.begin();
    ledger.queued(100);
    ledger.end();
  }
  expect(ledger.isFull).toBe(true);
  expect(ledger.heard(100)).toEqual([{ playedMs: 100, interrupted: false }]);
  expect(ledger.isFull).toBe(false);
});
