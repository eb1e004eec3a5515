import { expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

it.each([
  ['9', 9_000],
  ['0.5', 500],
  ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
  ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ['-3', 0],
  ['soon', 0],
  ['', 0],
  [null, 0],
  [undefined, 0],
])('%s: so long a service wants to be left alone', (header, ms) => {
  expect(retryAfterMs(header, NOW)).toBe(ms);
});
