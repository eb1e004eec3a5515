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
