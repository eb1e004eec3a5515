import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_JSON_DEPTH, JsonLimitError, MAX_JSON_VALUES, parseBoundedJson } from './bounded-json.ts';

const nested = (levels: number, open = '[', close = ']') =>
  open.repeat(levels) + (open === '[' ? '' : '1') + close.repeat(levels);

describe('JSON from outside', () => {
  test('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify(value);
        expect(parseBoundedJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test('may be nested to the limit and no deeper', () => {
    expect(parseBoundedJson(nested(MAX_JSON_DEPTH))).toBeInstanceOf(Array);
    expect(() => parseBoundedJson(nested(MAX_JSON_DEPTH + 1))).toThrow(JsonLimitError);
    expect(() => parseBoundedJson(nested(MAX_JSON_DEPTH + 1, '{"a":', '}'))).toThrow(JsonLimitError);
  });

  test('that is as deep as it is long is refused without a full stack', () => {
    expect(() => parseBoundedJson('['.repeat(1_000_000))).toThrow(JsonLimitError);
    expect(() => parseBoundedJson('{"a":'.repeat(200_000))).toThrow(JsonLimitError);
  });

  test('may hold values to the limit and no more, however they are spread', () => {
    const list = (count: number): string => `[${Array.from({ length: count }, () => 0).join(',')}]`;
    expect(parseBoundedJson(list(MAX_JSON_VALUES))).toHaveLength(MAX_JSON_VALUES);
    expect(() => parseBoundedJson(`{"a":${list(MAX_JSON_VALUES / 2)},"b":[1,${list(MAX_JSON_VALUES / 2)}]}`)).toThrow(
      expect.objectContaining({
        path: expect.stringMatching(/^b\.1\.\d+$/),
        message: 'goes beyond 20,000 values in all',
      }),
    );
    expect(parseBoundedJson(JSON.stringify({ text: ','.repeat(MAX_JSON_VALUES * 2) }))).toBeTypeOf('object');
  });

  test('may hold any number of brackets in its texts', () => {
    const value = { '{[': '['.repeat(1000), 'a"{': ['\\', '"[[', '\\"{{{{'.repeat(100)] };
    expect(parseBoundedJson(JSON.stringify(value))).toEqual(value);
  });

  test.each([
    [`{"clientMetadata":${nested(100)}}`, 'clientMetadata.0.0.0'],
    [
      `{"other":[1,{"a":"}"}], "tools" : [ 1 , {"x":1,"parameters":${nested(100, '{"p":', '}')}}]}`,
      'tools.1.parameters.p',
    ],
    [`{"${'k'.repeat(200)}":${nested(100)}}`, `${'k'.repeat(64)}.0.0.0`],
    [nested(100), '0.0.0.0'],
  ])('names the place: %#', (text, path) => {
    expect(() => parseBoundedJson(text)).toThrow(
      expect.objectContaining({ path, message: 'is nested more than 64 levels deep' }),
    );
  });

  test('that is broken is a syntax error, as ever', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expect(() => parseBoundedJson(text)).toThrow(SyntaxError);
          return;
        }
        expect(parseBoundedJson(text)).toEqual(expected);
      }),
    );
  });
});
