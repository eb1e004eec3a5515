import { expect, it } from 'vitest';
import { memoryParts } from './memory-parts.ts';
import { slope } from './statistics.ts';

it('the slope is how much a figure grows with each', () => {
  expect(
    slope([
      [1, 110],
      [2, 118],
      [4, 134],
    ]),
  ).toBeCloseTo(8);
  expect(slope([[1, 110]])).toBeNaN();
});

it('memory is told by what it is for', () => {
  const mapping = (range: string, rest: string, kb: number): string => `${range} ${rest}\nPss: ${kb} kB\n`;
  const smaps = [
    mapping('55d0c0000000-55d0c2000000', 'rw-p 00000000 00:00 0                          [heap]', 2048),
    mapping('7f0000000000-7f0004000000', 'rw-p 00000000 00:00 0', 4096),
    mapping('7f0104001000-7f0104101000', 'rw-p 00000000 00:00 0', 1024),
    mapping('7f0204001000-7f0204101000', 'r--s 00000000 08:01 77                         /data/avatars/a.avatar', 512),
  ].join('');
  expect(memoryParts(smaps)).toEqual([
    ['allocator, further arenas', 4],
    ['allocator, first arena', 2],
    ['heaps, large blocks', 1],
    ['faces', 0.5],
  ]);
});
