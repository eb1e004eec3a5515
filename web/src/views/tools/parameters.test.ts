import { expect, it } from 'vitest';
import { argumentFields, argumentsOf } from './arguments.ts';
import { type Parameter, parametersOf, schemaOf } from './parameters.ts';

const parameters: readonly Parameter[] = [
  { name: 'place', type: 'string', description: 'A town', required: true, choices: [] },
  { name: 'size', type: 'string', description: '', required: false, choices: ['small', 'large'] },
  { name: 'guests', type: 'integer', description: '', required: false, choices: [] },
];

it('writes the arguments of a tool as JSON Schema, and reads them again', () => {
  const schema = schemaOf(parameters);
  expect(schema).toEqual({
    type: 'object',
    properties: {
      place: { type: 'string', description: 'A town' },
      size: { type: 'string', enum: ['small', 'large'] },
      guests: { type: 'integer' },
    },
    required: ['place'],
  });
  expect(parametersOf(schema)).toEqual(parameters);
});

it('leaves a schema alone that says more than the form can show', () => {
  for (const schema of [
    { type: 'object', properties: { day: { type: 'string', format: 'date' } } },
    { type: 'object', properties: { tags: { type: 'array' } } },
    { type: 'object', properties: {}, additionalProperties: false },
    [],
  ])
    expect(parametersOf(schema)).toBeNull();
  expect(parametersOf(undefined)).toEqual([]);
});

it('makes values of the right types from what is entered, and leaves out what is empty', () => {
  const fields = argumentFields(schemaOf(parameters), {
    type: 'object',
    properties: { tags: { type: 'array' }, loud: { type: 'boolean' } },
  });
  expect(fields.map(({ kind }) => kind)).toEqual(['text', 'choice', 'number', 'json', 'flag']);
  expect(argumentsOf(fields, { place: 'Paris', size: '', guests: '2', tags: '["a"]', loud: 'true' })).toEqual({
    place: 'Paris',
    guests: 2,
    tags: ['a'],
    loud: true,
  });
  expect(() => argumentsOf(fields, { tags: 'a' })).toThrow('tags: This is not valid JSON');
});
