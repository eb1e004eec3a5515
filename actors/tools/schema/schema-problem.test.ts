import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { META_SCHEMA } from './meta-schema.ts';
import { linearPattern } from './linear-pattern.ts';
import { schemaProblem } from './schema-problem.ts';

const ONE_OF_TYPES = '"array", "boolean", "integer", "null", "number", "object", "string"';

describe('a schema for the arguments of a tool', () => {
  test.each([
    [{ type: 'banana' }, { path: 'type', message: `must be one of ${ONE_OF_TYPES}` }],
    [
      { properties: { a: { type: ['string', 'text'] } } },
      { path: 'properties.a.type.1', message: `must be one of ${ONE_OF_TYPES}` },
    ],
    [{ properties: { a: { minimum: '1' } } }, { path: 'properties.a.minimum', message: 'must be number' }],
    [{ type: 'array' }, { path: 'type', message: 'must be "object": the arguments of a tool have names' }],
    [
      { properties: { a: { $ref: 'https://example.com/a' } } },
      { path: 'properties.a.$ref', message: 'must refer to a place within this schema' },
    ],
    [
      { additionalProperties: { items: [{ pattern: '(a)\\1' }] } },
      { path: 'additionalProperties.items.0.pattern', message: expect.stringContaining('RE2') },
    ],
    [
      { patternProperties: { '^(?!x)': {} } },
      { path: 'patternProperties.^(?!x)', message: expect.stringContaining('RE2') },
    ],
    [
      { properties: { a: { pattern: 'a{1000}' } } },
      { path: 'properties.a.pattern', message: expect.stringContaining('short') },
    ],
    [
      { allOf: Array.from({ length: 20 }, (_, at) => ({ pattern: `a{300}${at}` })) },
      { path: 'allOf.6.pattern', message: expect.stringContaining('too large together') },
    ],
    [
      {
        enum: Array.from({ length: 200_000 }, () => 0),
        properties: { a: { required: Array.from({ length: 200_000 }, (_, at) => `n${at}`) } },
      },
      { path: '', message: 'is too large to be checked' },
    ],
  ])('is refused by its place: %#', (schema, problem) => {
    expect(schemaProblem(schema)).toEqual(problem);
  });

  test('may name its methods as JavaScript does', () => {
    expect(
      schemaProblem({
        properties: { valueOf: { enum: [{ valueOf: 1 }, { valueOf: 2 }] }, constructor: { type: 'string' } },
        required: ['toString'],
      }),
    ).toBe(null);
  });

  test('is judged as draft 7 judges it', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    const later = [
      'prefixItems',
      '$defs',
      'dependentSchemas',
      'dependentRequired',
      'minContains',
      'maxContains',
      'nullable',
    ];
    // Draft 7 also wants values that differ; the others have rules of their own, here or there.
    const keywords = Object.keys(META_SCHEMA['properties'] as object).filter(
      (name) => ![...later, '$schema', 'enum', 'type', '$ref', 'pattern'].includes(name),
    );
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(
        {},
        [],
        [{}],
        { a: {} },
        { a: ['b'] },
        { a: { minLength: -1 } },
        [{ type: 1 }],
        ['a', 'a'],
        1,
        'a',
        true,
      ),
    );
    fc.assert(
      fc.property(fc.constantFrom(...keywords), value, (keyword, given) => {
        // Their names are patterns, and have the rules of patterns.
        fc.pre(
          keyword !== 'patternProperties' || Object.keys(Object(given)).every((name) => linearPattern(name) !== null),
        );
        expect(schemaProblem({ [keyword]: given }) === null, JSON.stringify({ [keyword]: given })).toBe(
          ajv.validateSchema({ [keyword]: given }),
        );
      }),
      { numRuns: 1_000 },
    );
  });
});
