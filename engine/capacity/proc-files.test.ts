import { expect, it } from 'vitest';
import { parseMachineTicks, parsePids, parseProcessTicks, parseWaitedMs } from './proc-files.ts';

it('reads what ran on the machine, without programs of low priority, idle time and guests', () => {
  const stat = 'cpu  1000 500 300 9000 40 5 6 7 80 9\ncpu0 1 1 1 1 1 1 1 1 0 0\nctxt 5\n';
  expect(parseMachineTicks(stat)).toBe(1000 + 300 + 5 + 6 + 7);
  expect(parseMachineTicks('')).toBeNull();
});

it('reads how long a process ran, whatever its name', () => {
  const stat = '42 (a) name (x) S 1 42 42 0 -1 4194560 100 0 0 0 250 30 0 0 20 0 12 0 1000 0 0';
  expect(parseProcessTicks(stat)).toBe(280);
  // It has ended meanwhile.
  expect(parseProcessTicks('')).toBe(0);
});

it('reads how long a thread waited for a core, and the children of a thread', () => {
  expect(parseWaitedMs('900000000 2500000 77\n')).toBe(2.5);
  expect(parseWaitedMs('')).toBe(0);
  expect(parsePids('12 13 \n'.trim())).toEqual([12, 13]);
  expect(parsePids('')).toEqual([]);
});
