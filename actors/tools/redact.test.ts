import { expect, test } from 'vitest';
import { redact, REDACTED, redactText } from './redact.ts';

test('credentials do not reach the report, at any depth', () => {
  expect(
    redact({
      city: 'Rome',
      apiKey: 'k',
      nested: [{ 'X-Api-Key': 'k', user_password: 'p', accessToken: 't', authorization: 'b' }],
      tokens_used: 5,
      keyboard: 'qwerty',
    }),
  ).toEqual({
    city: 'Rome',
    apiKey: REDACTED,
    nested: [{ 'X-Api-Key': REDACTED, user_password: REDACTED, accessToken: REDACTED, authorization: REDACTED }],
    tokens_used: 5,
    keyboard: 'qwerty',
  });
});

const SECRET_NAMES =
  'pin otp cvv jwt passphrase bearer signature sessionId privateKey access_key cardNumber x-auth secretValue passwordHint ' +
  'tokenOfUser refresh_tokens headers X-Tenant';

/**
 * Two lists stood in two folders: arguments went through the one, stored results through the other, and each let names
 * through that the other hid. A webhook's answer with a PIN or a card number was stored in the clear.
 */
test.each(SECRET_NAMES.split(' '))('hides %s in arguments and in results', (name) => {
  expect(redact({ [name]: 'value' })).toEqual({ [name]: REDACTED });
  expect(redactText(JSON.stringify([{ [name]: 'value' }]))).toBe(JSON.stringify([{ [name]: REDACTED }]));
});

test('hides a numeric PIN, and leaves counts of tokens', () => {
  expect(redact({ pin: 1234, max_tokens: 256 })).toEqual({ pin: REDACTED, max_tokens: 256 });
});

test('values stay what they are', () => {
  for (const value of [null, 5, 'text', true, undefined]) expect(redact(value)).toBe(value);
  expect(redactText('plain text, no JSON')).toBe('plain text, no JSON');
  expect(redactText(null)).toBeNull();
});
