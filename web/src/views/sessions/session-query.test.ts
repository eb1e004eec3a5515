import { expect, it } from 'vitest';
import { NO_FILTERS, queryOf } from './session-query.ts';

it('asks for what was chosen, and for nothing else', () => {
  expect(queryOf(NO_FILTERS)).toBe('');
  expect(queryOf({ ...NO_FILTERS, words: 'a refund & more', outcome: 'failed' })).toBe(
    'words=a+refund+%26+more&outcome=failed',
  );
  const from = new URLSearchParams(queryOf({ ...NO_FILTERS, from: '2026-11-26T20:00' })).get('from')!;
  expect(Date.parse(from)).toBe(new Date('2026-11-26T20:00').getTime());
});
