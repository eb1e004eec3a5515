import { expect, it } from 'vitest';
import { coresOf, memoryOf, USE, useOf } from './session-use.ts';

it('adds up what sessions take, by what they do', () => {
  const together = useOf(['speaking', 'idle', 'idle']);
  expect(together.mainCores).toBeCloseTo(USE.speaking.mainCores + 2 * USE.idle.mainCores);
  expect(together.packetsIn).toBe(3 * USE.idle.packetsIn);
  expect(coresOf(together)).toBeCloseTo(coresOf(USE.speaking) + 2 * coresOf(USE.idle));
  expect(coresOf(useOf([]))).toBe(0);
});

it('has the measured sums: 5.5 and 1.8 % of a core without voices', () => {
  expect(coresOf(USE.speaking) - 0.02).toBeCloseTo(0.055);
  expect(coresOf(USE.idle)).toBeCloseTo(0.018);
});

it('counts the memory of each process and of each session', () => {
  expect(memoryOf(4, 10) - memoryOf(4, 9)).toBe(40 * 1024 ** 2);
  expect(memoryOf(5, 0) - memoryOf(4, 0)).toBe(470 * 1024 ** 2);
});
