import { expect, it } from 'vitest';
import { thriftStep } from './thrift.ts';

it('takes frames first from faces that do not speak', () => {
  expect(thriftStep('loops', false)).toBe(1);
  expect([thriftStep('listeners', false), thriftStep('listeners', true)]).toEqual([2, 1]);
  expect([thriftStep('all', false), thriftStep('all', true)]).toEqual([2, 2]);
});
