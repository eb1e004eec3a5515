import { expect, it } from 'vitest';
import { errorForRefusal } from './http-errors.ts';

/** Local servers take any word for a key: with "k", the reason was "maximum context length is 3 to…ens". */
it.each([
  ['k', 'At most 3 tokens for key k.', 'At most 3 tokens for key …'],
  ['a.c', 'An abc for a.c', 'An abc for …'],
  ['sk_live_abcdef', 'Bad key:xsk_live_abcdef!', 'Bad key:x…!'],
])('A key is no part of what a provider said, and no part of a word is taken for it: %s', (secret, message, told) => {
  const refusal = { status: 400, code: null, param: null, message, numbers: {} };
  expect(errorForRefusal('m', refusal, { secret, said: [] }).reason).toBe(told);
});
