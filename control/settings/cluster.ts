import { z } from 'zod';

/** What several processes of one deployment share besides the database. */
export function clusterSettings() {
  return {
    REDIS_URL: z
      .string()
      .regex(/^rediss?:\/\/\S+$/, 'must be redis://host:6379 or rediss://user:password@host:6379')
      .optional()
      .describe(
        'Redis in which the processes of one PostgreSQL database count rates and sessions together, `redis://user:password@host:6379`. Unset: each process counts its own.',
      ),
  };
}

/** @param values texts by the name of the setting. @returns a line for each thing that would not work. */
export function clusterProblems(values: Readonly<Record<string, string | undefined>>): string[] {
  return values['REDIS_URL'] !== undefined && values['DATABASE_URL'] === undefined
    ? ['REDIS_URL: processes that count together share a database; set DATABASE_URL to that PostgreSQL as well']
    : [];
}
