import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newCheck, type SchemaObject } from './check.ts';
import { fits } from './check-value.ts';
import { checkArguments } from './index.ts';
import { schemaProblem } from './schema-problem.ts';
import { WorkLimit } from './work-limit.ts';

const scalar = fc.oneof(
  fc.integer({ min: -3, max: 12 }),
  fc.double({ min: -5, max: 5, noNaN: true }),
  fc.constantFrom('', 'a', 'ab', 'abc', '5', '🙂', 'true'),
  fc.boolean(),
  fc.constant(null),
);
const { value } = fc.letrec<{ value: unknown; list: unknown[]; record: object }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, tie('list'), tie('record')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  record: fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), tie('value'), {
    maxKeys: 3,
    noNullPrototype: true,
  }),
}));
const size = fc.nat({ max: 3 });
const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 });
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object');
const { schema } = fc.letrec<{ schema: unknown; schemas: unknown[] }>((tie) => ({
  schemas: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.boolean(),
    fc.constantFrom({ $ref: '#/definitions/one' }, { $ref: '#/definitions/two' }),
    fc.record(
      {
        type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
        enum: fc.uniqueArray(value, {
          minLength: 1,
          maxLength: 3,
          comparator: (a, b) => JSON.stringify(a) === JSON.stringify(b),
        }),
        const: value,
        minimum: size,
        maximum: size,
        exclusiveMinimum: size,
        exclusiveMaximum: size,
        multipleOf: fc.constantFrom(1, 2, 0.5),
        minLength: size,
        maxLength: size,
        pattern: fc.constantFrom('^a', 'b$', '^[a-c]+$', '\\d'),
        properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema')),
        required: names,
        additionalProperties: tie('schema'),
        patternProperties: fc.dictionary(fc.constantFrom('^a', 'b|c'), tie('schema')),
        propertyNames: tie('schema'),
        minProperties: size,
        maxProperties: size,
        dependencies: fc.dictionary(fc.constantFrom('a', 'b'), fc.oneof(names, tie('schema'))),
        items: fc.oneof(tie('schema'), tie('schemas')),
        additionalItems: tie('schema'),
        contains: tie('schema'),
        minItems: size,
        maxItems: size,
        uniqueItems: fc.boolean(),
        allOf: tie('schemas'),
        anyOf: tie('schemas'),
        oneOf: tie('schemas'),
        not: tie('schema'),
        if: tie('schema'),
        // eslint-disable-next-line unicorn/no-thenable
        then: tie('schema'),
        else: tie('schema'),
      },
      { requiredKeys: [] },
    ),
  ),
}));

function leadsInACircle(one: unknown, two: unknown): boolean {
  const [first, second] = [JSON.stringify(one), JSON.stringify(two)];
  return first.includes('definitions/one') || second.includes('definitions/');
}

describe("the check of a tool's arguments", () => {
  test('judges as ajv does', () => {
    fc.assert(
      fc.property(schema, schema, schema, value, (root, one, two, given) => {
        const whole = { allOf: [root], definitions: { one, two } };
        fc.pre(!leadsInACircle(one, two));
        expect(schemaProblem({ properties: { whole }, definitions: { one, two } })).toBe(null);
        const ajv = new Ajv({ strict: false, validateFormats: false, logger: false, ownProperties: true });
        const expected = ajv.compile(whole)(given);
        expect(
          fits(newCheck(whole, { work: new WorkLimit(1e6), enough: 1, repairs: 'nothing' }), whole, given),
          JSON.stringify({ whole, given }),
        ).toBe(expected);
      }),
      { numRuns: 15 },
    );
  });

  test('repairs single types as ajv does, but makes no value of null', () => {
    fc.assert(
      fc.property(
        type,
        fc.oneof(scalar, fc.constantFrom('5', '1.5', ' 7 ', '1e3', 'false', 'x', 0, 1)),
        (wanted, given) => {
          // What ajv does not know, or puts into a list: "a, b" may be two.
          fc.pre(given !== null && given !== '' && !/[,;\n]|^(?:yes|no)$/i.test(String(given)));
          const whole = { properties: { field: { type: wanted } } };
          const [ours, theirs] = [{ field: given }, { field: given }];
          const problems = checkArguments(whole, ours);
          const agreed = new Ajv({ coerceTypes: 'array', strict: false }).compile(whole)(theirs);
          expect({ ours, fits: problems.length === 0 }).toEqual({ ours: theirs, fits: agreed });
        },
      ),
    );
  });

  /** Each was refused, and the user waited while the model wrote it once more. */
  test('takes one value for a list, a list of one for a value, and names in other letters', () => {
    const whole = {
      properties: {
        city: { type: 'string' },
        tags: { type: 'array', items: { type: 'string' } },
        days: { type: 'integer' },
        open: { type: 'boolean' },
        checkIn: { type: 'string' },
      },
      required: ['city'],
      additionalProperties: false,
    };
    for (const [given, meant] of [
      [
        { city: 'Rome', tags: 'sea' },
        { city: 'Rome', tags: ['sea'] },
      ],
      [
        { city: ['Rome'], days: [3] },
        { city: 'Rome', days: 3 },
      ],
      [
        { City: 'Rome', check_in: 'Monday' },
        { city: 'Rome', checkIn: 'Monday' },
      ],
      [
        { 'city ': 'Rome', open: 'False' },
        { city: 'Rome', open: false },
      ],
      [
        { city: 'Rome', open: 'yes' },
        { city: 'Rome', open: true },
      ],
    ] as const) {
      const args = { ...given };
      expect(checkArguments(whole, args)).toEqual([]);
      expect(args).toEqual(meant);
    }
    expect(checkArguments(whole, { city: 'Rome', tags: 'sea, sun' })).toHaveLength(1);
    expect(checkArguments(whole, { city: ['Rome', 'Oslo'] })).toHaveLength(1);
    expect(checkArguments(whole, { city: 'Rome', City: 'Oslo' })).toHaveLength(1);
  });

  /** A search was refused for `"page": ""`, and a unit for its capital letter. */
  test('takes no text for a value that is left out, and capital letters for what they are', () => {
    const unit = { type: 'string', enum: ['celsius', 'fahrenheit'] };
    const whole = {
      properties: { page: { type: 'integer' }, city: { type: 'string' }, unit, ok: { type: 'boolean' } },
    };
    for (const [given, meant] of [
      [{ page: '', city: '', ok: 'None' }, { city: '' }],
      [{ page: 'null', city: 'null' }, { city: 'null' }],
      [{ unit: 'Celsius' }, { unit: 'celsius' }],
      [{ unit: ' FAHRENHEIT ' }, { unit: 'fahrenheit' }],
      [{ unit: '' }, {}],
    ] as const) {
      const args = { ...given };
      expect(checkArguments(whole, args)).toEqual([]);
      expect(args).toEqual(meant);
    }
    expect(checkArguments(whole, { unit: 'kelvin' })).toHaveLength(1);
    expect(checkArguments({ ...whole, required: ['page'] }, { page: '' })).toHaveLength(1);
    const both = { properties: { unit: { enum: ['a', 'A'] } } };
    expect(checkArguments(both, { unit: ' a' })).toHaveLength(1);
  });

  /** Models write null for what they leave out. A webhook got 0, "" and false, which nobody had said. */
  test('takes null for a value that is left out', () => {
    const whole = {
      required: ['city'],
      properties: {
        city: { type: 'string' },
        days: { type: 'integer' },
        unit: { type: 'string', default: 'C' },
        note: { type: ['string', 'null'] },
        inner: { type: 'object', properties: { deep: { type: 'boolean' } } },
      },
    };
    const args = { city: 'Rome', days: null, unit: null, note: null, inner: { deep: null } };
    expect(checkArguments(whole, args)).toEqual([]);
    expect(args).toEqual({ city: 'Rome', unit: 'C', note: null, inner: {} });
    expect(checkArguments(whole, { city: null })).toEqual(["arguments must have required property 'city'"]);
  });

  /** Many models write lists and objects as text. The call was refused. */
  test('reads lists and objects that came as JSON text', () => {
    const whole = { properties: { tags: { type: 'array', items: { type: 'integer' } }, where: { type: 'object' } } };
    const args = { tags: '["1", 2]', where: '{"city":"Rome"}' };
    expect(checkArguments(whole, args)).toEqual([]);
    expect(args).toEqual({ tags: [1, 2], where: { city: 'Rome' } });
    const text = { tags: '[1]' };
    expect(checkArguments({ properties: { tags: { type: ['string', 'array'] } } }, text)).toEqual([]);
    expect(text).toEqual({ tags: '[1]' });
  });

  test('fills in defaults, each time anew', () => {
    const whole = {
      properties: { tags: { type: 'array', default: ['new'] }, inner: { properties: { n: { default: 3 } } } },
    };
    const [first, second] = [{ inner: {} }, {}] as Record<string, unknown>[];
    expect([checkArguments(whole, first!), checkArguments(whole, second!)]).toEqual([[], []]);
    expect([first, second]).toEqual([{ tags: ['new'], inner: { n: 3 } }, { tags: ['new'] }]);
    expect(first!['tags']).not.toBe(second!['tags']);
  });

  test('leaves alone what a choice allows as it is', () => {
    const args = { a: '5', b: '5', c: 'x' };
    const whole: SchemaObject = {
      properties: {
        a: { anyOf: [{ type: 'number' }, { type: 'string' }] },
        b: { anyOf: [{ type: 'number' }, { type: 'null' }] },
        c: { oneOf: [{ type: 'number' }, { type: 'null' }] },
      },
    };
    expect(checkArguments(whole, args)).toEqual(['c must be number']);
    expect(args).toEqual({ a: '5', b: 5, c: 'x' });
  });

  test('names at most five problems', () => {
    expect(checkArguments({ required: [...'abcdefgh'] }, {})).toHaveLength(5);
  });
});

/** 2 to the power of 60 ways through 4 KB: whoever tries them all never comes back. */
function maze(keyword: 'allOf' | 'anyOf' | 'oneOf'): SchemaObject {
  const rooms = Array.from({ length: 60 }, (_, at) => [
    `room${at}`,
    { [keyword]: [{ $ref: `#/definitions/room${at + 1}` }, { $ref: `#/definitions/room${at + 1}` }] },
  ]);
  return { definitions: { ...Object.fromEntries(rooms), room60: { required: ['exit'] } }, $ref: '#/definitions/room0' };
}

describe("a customer's schema that is made to take for ever", () => {
  const tooMuch = ['arguments take too long to be checked against the schema of the tool'];
  const many = (count: number) => Array.from({ length: count }, (_, at) => at);

  test.each<[string, SchemaObject, Record<string, unknown>, readonly string[]]>([
    ['refers to itself', { $ref: '#' }, {}, tooMuch],
    ['has more ways than can be tried', maze('anyOf'), {}, tooMuch],
    [
      'has more ways to be wrong than can be told',
      maze('allOf'),
      {},
      Array(5).fill("arguments must have required property 'exit'"),
    ],
    ['has more ways that must not all fit', maze('oneOf'), { exit: 1 }, tooMuch],
    [
      'asks for the same of every item again and again',
      { properties: { a: { items: { allOf: many(500).map(() => ({ type: 'number' })) } } } },
      { a: many(5_000) },
      tooMuch,
    ],
    [
      'has a pattern that backtracks',
      { properties: { a: { pattern: '^(a+)+$' } } },
      { a: `${'a'.repeat(5_000)}!` },
      ['a must match pattern "^(a+)+$"'],
    ],
    [
      'has a pattern that is as large as the text is long',
      { properties: { a: { pattern: `${'('.repeat(100)}a${')*'.repeat(100)}` } } },
      { a: 'a'.repeat(60_000) },
      tooMuch,
    ],
  ])('is given up: it %s', (_name, schema, args, problems) => {
    expect(checkArguments(schema, args)).toEqual(problems);
  });
});
