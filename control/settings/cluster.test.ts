import { describe, expect, it } from 'vitest';
import { problemsOf } from '../testing/problems-of.ts';

describe('the settings of several processes', () => {
  it('need a database that they share', () => {
    expect(problemsOf({ REDIS_URL: 'redis://localhost' })).toEqual([expect.stringContaining('set DATABASE_URL')]);
    expect(problemsOf({ REDIS_URL: 'redis://localhost', DATABASE_URL: 'postgres://localhost/parley' })).toEqual([]);
  });

  it.each([
    [{ PARLEY_NODE_URL: 'http://10.0.0.7:8080' }, 'PARLEY_NODE_URL: processes find each other in Redis; set REDIS_URL'],
    [{ PARLEY_NODE_URL: 'http://10.0.0.7:8080' }, 'set PARLEY_MASTER_KEY, the same for all'],
    [{ PARLEY_ROLE: 'engine' }, 'PARLEY_ROLE: an engine works for other processes, which must reach it'],
    [{ PARLEY_ROLE: 'control' }, 'set REDIS_URL and PARLEY_MASTER_KEY, the same for all'],
    [{ PARLEY_ROLE: 'motor' }, 'PARLEY_ROLE:'],
    [{ PARLEY_NODE_URL: 'https://10.0.0.7/parley' }, 'PARLEY_NODE_URL: must be http://host:port'],
  ])('need what they share: %j: %s', (environment, problem) => {
    expect(problemsOf(environment).join('\n')).toContain(problem);
  });

  it('name an address that is not one of Redis', () => {
    const problems = problemsOf({ REDIS_URL: 'localhost:6379', DATABASE_URL: 'postgres://localhost/parley' });
    expect(problems).toEqual([expect.stringContaining('REDIS_URL: must be redis://host:6379')]);
  });
});
