import { describe, expect, it } from 'vitest';
import { meet } from './testing/meet-server.ts';
import type { Habit } from './testing/odd-mcp-server.ts';

const list = (result: unknown): Habit => ({ results: { 'tools/list': result } });
const ping = { name: 'ping', inputSchema: { type: 'object' } };

/** Each cost the tool, and some the whole list. */
describe('a schema of an MCP tool is used', () => {
  it.each<[string, unknown, unknown]>([
    [
      'of draft 4',
      { id: 'http://example.com/a', type: 'object', properties: { a: { minimum: 0, exclusiveMinimum: true } } },
      { type: 'object', properties: { a: { exclusiveMinimum: 0 } } },
    ],
    [
      'of draft 3',
      { type: 'object', properties: { a: { type: 'any', required: true }, b: { type: 'string', required: false } } },
      { type: 'object', properties: { a: {}, b: { type: 'string' } }, required: ['a'] },
    ],
    [
      'with types in capitals, or of a programming language',
      { type: 'OBJECT', properties: { a: { type: 'STRING' }, b: { type: 'int' }, c: { type: ['str', 'null'] } } },
      {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'integer' }, c: { type: ['string', 'null'] } },
      },
    ],
    [
      'with numbers in quotes, and the one name that it requires',
      { type: 'object', properties: { a: { type: 'string', minLength: '1' } }, required: 'a' },
      { type: 'object', properties: { a: { type: 'string', minLength: 1 } }, required: ['a'] },
    ],
    ['that may be null', { type: ['object', 'null'] }, { type: 'object' }],
    ['that is true', true, { type: 'object' }],
    ['that PHP has written', [], { type: 'object' }],
    [
      'with types and words in place of schemas',
      { type: 'object', properties: { a: 'string', b: 'The city' } },
      { type: 'object', properties: { a: { type: 'string' }, b: { description: 'The city' } } },
    ],
    ['that is JSON as text', '{"type":"object","properties":{"a":{}}}', { type: 'object', properties: { a: {} } }],
    ['whose properties are a list', { type: 'object', properties: [{ name: 'a' }] }, { type: 'object' }],
    [
      'that refers to itself by its address',
      { $id: 'https://example.com/a', properties: { a: { $ref: 'https://example.com/a#/$defs/A' } }, $defs: { A: {} } },
      { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: {} } },
    ],
    [
      'without the pattern that only JavaScript can match, as that of z.email()',
      { type: 'object', properties: { 'a.b': { type: 'string', pattern: '^(?!\\.)[a-z]+@' } } },
      { type: 'object', properties: { 'a.b': { type: 'string' } } },
    ],
    [
      'without a reference to another file, or to nothing',
      { type: 'object', properties: { a: { $ref: 'https://example.com/a' }, b: { $ref: '#/$defs/Gone' } } },
      { type: 'object', properties: { a: {}, b: {} } },
    ],
  ])('%s', async (_, inputSchema, parameters) => {
    const { list: listed } = await meet(list({ tools: [{ name: 'ping', inputSchema }] }));
    const { tools, leftOut } = await listed();
    expect(leftOut).toEqual([]);
    expect(tools[0]?.parameters).toEqual(parameters);
  });

  it.each(['input_schema', 'parameters'])('under the name %s', async (keyword) => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const { list: listed } = await meet(list({ tools: [{ name: 'ping', [keyword]: schema }] }));
    expect((await listed()).tools[0]?.parameters).toEqual(schema);
  });

  it('with its title, where it has no description', async () => {
    const { list: listed } = await meet(list({ tools: [{ ...ping, title: 'Asks for a pong', description: ' ' }] }));
    expect((await listed()).tools[0]?.description).toBe('Asks for a pong');
  });

  it('once: the second tool of one name is named', async () => {
    const { list: listed } = await meet(list({ tools: [ping, ping] }));
    const { tools, leftOut } = await listed();
    expect([tools.length, leftOut]).toEqual([
      1,
      [{ name: 'ping', reason: 'another tool of this server has its name' }],
    ]);
  });
});
