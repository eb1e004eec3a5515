import * as fc from 'fast-check';
import { expect, test } from 'vitest';
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
