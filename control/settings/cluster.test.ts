import { describe, expect, it } from 'vitest';
import { readSettings } from '../settings.ts';

const problemsOf = (environment: Record<string, string>): string => {
  try {
    readSettings(environment);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the settings of several processes', () => {
  it('need a database that they share', () => {
    expect(problemsOf({ REDIS_URL: 'redis://localhost' })).toContain('set DATABASE_URL');
    expect(problemsOf({ REDIS_URL: 'redis://localhost', DATABASE_URL: 'postgres://localhost/parley' })).toBe('');
  });

  it('name an address that is not one of Redis', () => {
    const problems = problemsOf({ REDIS_URL: 'localhost:6379', DATABASE_URL: 'postgres://localhost/parley' });
    expect(problems).toContain('REDIS_URL: must be redis://host:6379');
  });
});
