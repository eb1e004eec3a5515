import { expect, it } from 'vitest';
import { fitTools } from './tool-schema.ts';

/** One tool with such a schema had every turn refused by an endpoint, also those without a tool. */
const fitted = (parameters: object, form: 'usual' | 'plain' = 'usual'): unknown =>
  fitTools([{ name: 'tool', description: '', parameters: parameters as never }], form).tools[0]?.parameters;
const object = (a: unknown): object => ({ type: 'object', properties: { a } });

it.each([
  ['no properties', { type: 'object', properties: null, required: {} }, { type: 'object', properties: {} }],
  ['a choice of nothing', object({ type: 'string', enum: [] }), object({ type: 'string' })],
  [
    'a schema for each place of a list',
    object({ type: 'array', items: [{ type: 'string' }, { type: 'number' }] }),
    object({ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } }),
  ],
  [
    'the same one for each place',
    object({ type: 'array', items: [{ type: 'string' }, { type: 'string' }] }),
    object({ type: 'array', items: { type: 'string' } }),
  ],
  [
    'a text where true or false is meant',
    { ...object({ type: 'string' }), additionalProperties: 'false' },
    { ...object({ type: 'string' }), additionalProperties: false },
  ],
])('a schema with %s is made valid', (_, given, expected) => expect(fitted(given)).toEqual(expected));

it('a model that knows only the plainest schemas gets the first of several', () =>
  expect(fitted(object({ type: 'array', items: [{ type: 'string' }, { type: 'number' }] }), 'plain')).toEqual(
    object({ type: 'array', items: { type: 'string' } }),
  ));

/** The model saw no arguments, or arguments of which it knew nothing. */
it('a schema that is a reference is the one that it leads to', () => {
  const person = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  expect(fitted({ $ref: '#/$defs/Person', $defs: { Person: person } })).toMatchObject(person);
});

it.each<[string, unknown, unknown]>([
  ['an optional argument', { anyOf: [{ type: 'null' }, { type: 'string' }], default: null }, { type: 'string' }],
  ['a reference', { $ref: '#/$defs/City', description: 'Where' }, { type: 'string', description: 'Where' }],
  ['a choice of references', { oneOf: [{ $ref: '#/$defs/City' }, { type: 'number' }] }, { type: 'string' }],
  ['parts', { allOf: [{ $ref: '#/$defs/City' }, { enum: ['Rome'] }] }, { type: 'string', enum: ['Rome'] }],
  ['a constant', { const: 'Rome' }, { type: 'string', enum: ['Rome'] }],
  ['nothing', { $ref: '#/$defs/Gone' }, {}],
])('a model that knows only the plainest schemas gets what is meant by %s', (_, given, expected) => {
  const schema = { ...object(given), $defs: { City: { type: 'string' } } };
  expect(fitted(schema, 'plain')).toEqual(object(expected));
});

it('and a schema without an end is cut', () => {
  const pair = { type: 'object', properties: { a: { $ref: '#/$defs/Pair' }, b: { $ref: '#/$defs/Pair' } } };
  const endless = { anyOf: [{ $ref: '#/$defs/Endless' }], allOf: [{ $ref: '#/$defs/Endless' }] };
  const schema = { ...object({ $ref: '#/$defs/Pair' }), $defs: { Pair: pair, Endless: endless } };
  expect(JSON.stringify(fitted(schema, 'plain')).length).toBeLessThan(50_000);
  expect(fitted({ ...schema, ...object({ $ref: '#/$defs/Endless' }) }, 'plain')).toEqual(object({}));
});
