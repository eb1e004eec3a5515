import { describe, expect, it } from 'vitest';
import { webhookArguments } from './webhook-arguments.ts';

const text = { type: 'string' };

describe('what the LLM fills in for a webhook', () => {
  it('holds the arguments of the body and of the query', () => {
    expect(
      webhookArguments(
        { type: 'object', properties: { note: text }, required: ['note'] },
        { type: 'object', properties: { city: text }, required: ['city'] },
      ),
    ).toEqual({ type: 'object', properties: { note: text, city: text }, required: ['note', 'city'] });
  });

  it('is the query alone when there is no body', () => {
    expect(webhookArguments(undefined, { type: 'object', properties: { city: text } })).toEqual({
      type: 'object',
      properties: { city: text },
      required: [],
    });
  });

  it('is the body’s schema untouched when there is no query', () => {
    const body = { type: 'object', properties: { note: text }, additionalProperties: false };
    expect(webhookArguments(body, undefined)).toBe(body);
  });

  it('can refer to the definitions of both schemas', () => {
    const body = { properties: { a: { $ref: '#/$defs/one' } }, $defs: { one: { type: 'string' } } };
    const query = { properties: { b: { $ref: '#/$defs/two' } }, $defs: { two: { type: 'number' } } };
    expect(webhookArguments(body, query)).toMatchObject({
      $defs: { one: { type: 'string' }, two: { type: 'number' } },
    });
  });
});
