import { expect, it } from 'vitest';
import { FecControl } from './fec-control.ts';

it('protects speech while packets get lost, and for half a minute after', () => {
  const fec = new FecControl();
  expect(fec.wanted(0)).toBe('plain');
  fec.reported(0.005, 1_000);
  expect(fec.wanted(1_000)).toBe('plain');
  fec.reported(0.04, 2_000);
  expect(fec.wanted(2_000)).toBe('protected');
  fec.reported(0, 7_000);
  expect(fec.wanted(31_000)).toBe('protected');
  expect(fec.wanted(32_000)).toBe('plain');
});
