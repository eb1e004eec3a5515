import { describe, expect, it } from 'vitest';
import { problemsOf } from '../testing/problems-of.ts';

describe('the settings of several processes', () => {
  it('need a database that they share', () => {
    expect(problemsOf({ REDIS_URL: 'redis://localhost' })).toEqual([expect.stringContaining('set DATABASE_URL')]);
    expect(problemsOf({ REDIS_URL: 'redis://localhost', DATABASE_URL: 'postgres://localhost/parley' })).toEqual([]);
  });

  it('name an address that is not one of Redis', () => {
    const problems = problemsOf({ REDIS_URL: 'localhost:6379', DATABASE_URL: 'postgres://localhost/parley' });
    expect(problems).toEqual([expect.stringContaining('REDIS_URL: must be redis://host:6379')]);
  });
});
