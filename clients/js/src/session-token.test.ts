import { expect, it } from 'vitest';
import { createClient } from './create-client.ts';
import { readSessionToken } from './session-token.ts';

const token = (claims: unknown): string =>
  ['{"alg":"HS256"}', JSON.stringify(claims), 'signature']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');

it('reads what a token says openly, in any alphabet', () => {
  expect(readSessionToken(token({ type: 'stateful', personaId: 'ä?>ÿ~', exp: 1 }))).toEqual({
    type: 'stateful',
    personaId: 'ä?>ÿ~',
    exp: 1,
  });
});

it('refuses a legacy token before any request', () => {
  expect(() => createClient(token({ type: 'Legacy' }))).toThrow(
    expect.objectContaining({ name: 'ClientError', code: 'legacy_token' }),
  );
});

it.each(['', 'an-api-key', 'a.b', 'a.!.c', `a.${btoa('7')}.c`, 'a.b.c.d'])('refuses %j', (text) => {
  expect(() => createClient(text)).toThrow(expect.objectContaining({ code: 'authentication' }));
});
