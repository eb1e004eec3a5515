import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { detailsOf } from './validation-details.ts';

/** The console showed “name: Too small: expected string to have >=1 characters”. */
describe('what is wrong with a field', () => {
  it.each([
    [z.string().min(1), '', 'must not be empty'],
    [z.string().min(3), 'a', 'must have at least 3 characters'],
    [z.string().max(2), 'abc', 'must have at most 2 characters'],
    [z.array(z.string()).min(1), [], 'must have at least 1 entry'],
    [z.number().int().min(1).max(20), 30, 'must be at most 20'],
    [z.number().int(), 1.5, 'must be a whole number'],
    [z.number().positive(), 0, 'must be more than 0'],
    [z.number(), 'a', 'must be a number'],
    [z.enum(['a', 'b']), 'c', 'must be one of "a", "b"'],
    [z.literal(true), false, 'must be true'],
    [z.guid(), 'a', 'must be an id'],
    [z.url(), 'a', 'must be an address that begins with https:// or http://'],
    [z.string().regex(/^a$/, 'must be an a'), 'b', 'must be an a'],
    [z.discriminatedUnion('k', [z.object({ k: z.literal('x') })]), { k: 'y' }, 'must be "x"'],
    [z.string(), undefined, 'Required'],
  ] as const)('is said in words that people use (%#)', (schema, value, message) => {
    const { error } = z.object({ field: schema as z.ZodType }).safeParse({ field: value });
    expect(detailsOf(error!).map((detail) => detail.message)).toEqual([message]);
  });
});
