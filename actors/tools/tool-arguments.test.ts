import { describe, expect, test } from 'vitest';
import { parseToolArguments } from './tool-arguments.ts';

const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
  required: ['city'],
};

describe('arguments that a model wrote', () => {
  test('are read and checked', () => {
    expect(parseToolArguments('{"city":"Rome","days":2}', schema)).toEqual({
      ok: true,
      args: { city: 'Rome', days: 2 },
    });
  });

  test('may be missing altogether', () => {
    expect(parseToolArguments('', { type: 'object', properties: {} })).toEqual({ ok: true, args: {} });
    expect(parseToolArguments('null', {})).toEqual({ ok: true, args: {} });
  });

  test('may stand once more within the form of a call', () => {
    expect(parseToolArguments('{"arguments":{"city":"Rome"}}', schema)).toEqual({ ok: true, args: { city: 'Rome' } });
    for (const form of [
      '{"name":"get_weather","arguments":{"city":"Rome"}}',
      '{"type":"object","properties":{"city":"Rome"}}',
      '{"input":"{\\"city\\":\\"Rome\\"}"}',
    ])
      expect(parseToolArguments(form, schema)).toEqual({ ok: true, args: { city: 'Rome' } });
    const own = { type: 'object', properties: { input: { type: 'object' } } };
    expect(parseToolArguments('{"input":{"city":"Rome"}}', own)).toEqual({
      ok: true,
      args: { input: { city: 'Rome' } },
    });
  });

  /** "Rome" was answered with "The arguments are not valid JSON", until the model gave up. */
  test('may be the only value that the tool needs', () => {
    for (const alone of ['"Rome"', 'Rome', 'city=Rome', 'city: Rome'])
      expect(parseToolArguments(alone, schema)).toEqual({ ok: true, args: { city: 'Rome' } });
    expect(parseToolArguments('Rome', { type: 'object', properties: { a: {}, b: {} } }).ok).toBe(false);
    expect(parseToolArguments('"Rome', schema).ok).toBe(false);
  });

  test('may write numbers as text', () => {
    expect(parseToolArguments('{"city":"Rome","days":"3"}', schema)).toEqual({
      ok: true,
      args: { city: 'Rome', days: 3 },
    });
  });

  test.each([
    ['broken JSON', '{"city":', 'not valid JSON'],
    ['an array', '[1]', 'must be a JSON object'],
    ['a missing field', '{}', "must have required property 'city'"],
    ['a wrong range', '{"city":"Rome","days":0}', 'days must be >= 1'],
    ['too much', `{"city":"${'x'.repeat(70_000)}"}`, 'too long'],
  ])('%s is told to the model', (_, text, problem) => {
    expect(parseToolArguments(text, schema)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  });

  test("a customer's schema with unknown keywords, dialects or mistakes does not break the call", () => {
    for (const odd of [
      { ...schema, $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'same', 'x-order': 1 },
      { $id: 'same', type: 'object' },
      { type: 'nonsense' },
    ]) {
      expect(parseToolArguments('{"city":"Rome"}', odd).ok).toBe(true);
    }
  });

  test('arguments named like object internals stay data', () => {
    const parsed = parseToolArguments('{"__proto__":{"admin":true},"city":"x"}', schema);
    expect(parsed.ok && ({} as Record<string, unknown>)['admin']).toBeUndefined();
  });
});
