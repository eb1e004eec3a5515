import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { redact, redactHeaders, REDACTED } from './redact.ts';
import { toolErrorOutput, toolOutput, toolTimeoutMessage, truncateUtf8 } from './tool-output.ts';

test('the LLM gets strings as they are and everything else as JSON', () => {
  expect(toolOutput('plain "text"')).toBe('plain "text"');
  expect(toolOutput({ a: [1, null] })).toBe('{"a":[1,null]}');
  expect(toolOutput(0)).toBe('0');
  expect(toolOutput(false)).toBe('false');
});

test('a success without content says so', () => {
  for (const nothing of [undefined, null, '']) expect(toolOutput(nothing)).toMatch(/returned nothing/);
});

test('errors are marked', () => {
  expect(toolErrorOutput('status 500')).toBe('Error: status 500');
  expect(toolErrorOutput(toolTimeoutMessage(10))).toBe('Error: no response from the client within 10 seconds');
});

test('a result is cut at 16 KiB', () => {
  expect(Buffer.byteLength(toolOutput('x'.repeat(50_000)))).toBe(16 * 1024);
});

test('a cut never falls inside a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.nat(60), (text, bytes) => {
      const whole = text.isWellFormed() ? text : text.toWellFormed();
      const cut = truncateUtf8(whole, bytes);
      expect(whole.startsWith(cut)).toBe(true);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(bytes);
      const next = /^./su.exec(whole.slice(cut.length))?.[0];
      if (next !== undefined) expect(Buffer.byteLength(cut + next)).toBeGreaterThan(bytes);
    }),
    { numRuns: 2000 },
  );
});

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

test('values stay what they are', () => {
  for (const value of [null, 5, 'text', true, undefined]) expect(redact(value)).toBe(value);
});

test('header values are hidden', () => {
  expect(redactHeaders({ 'Content-Type': 'application/json', 'X-Tenant': 'acme' })).toEqual({
    'Content-Type': 'application/json',
    'X-Tenant': REDACTED,
  });
});
