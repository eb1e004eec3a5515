import { expect, it } from 'vitest';
import { readTraceparent, traceOfTurn, traceparentOf } from './trace-context.ts';

it('gives a turn the same trace whenever it is asked, and another one to another turn', () => {
  const trace = traceOfTurn('turn 1');
  expect(traceOfTurn('turn 1')).toEqual(trace);
  expect(traceOfTurn('turn 2').traceId).not.toBe(trace.traceId);
  expect(traceparentOf(trace)).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/);
  expect(readTraceparent(traceparentOf(trace))).toEqual(trace);
});

it.each([
  undefined,
  '',
  'nonsense',
  `00-${'0'.repeat(32)}-${'a'.repeat(16)}-01`,
  `00-${'a'.repeat(32)}-${'0'.repeat(16)}-01`,
  `00-${'A'.repeat(32)}-${'a'.repeat(16)}-01`,
])('reads no trace out of %s', (header) => {
  expect(readTraceparent(header)).toBeNull();
});
