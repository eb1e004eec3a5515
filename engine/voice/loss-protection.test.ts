import { expect, it } from 'vitest';
import { LossProtection } from './loss-protection.ts';

it('protects speech while packets get lost, and for half a minute after', () => {
  const protection = new LossProtection();
  expect(protection.wanted(0)).toBe('plain');
  protection.reported(0.005, 1_000);
  expect(protection.wanted(1_000)).toBe('plain');
  protection.reported(0.04, 2_000);
  expect(protection.wanted(2_000)).toBe('protected');
  protection.reported(0, 7_000);
  expect(protection.wanted(31_000)).toBe('protected');
  expect(protection.wanted(32_000)).toBe('plain');
});
