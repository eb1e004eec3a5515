import { z } from 'zod';
import { integer } from '../../models/option-values.ts';

/** What several processes of one deployment share besides the database. */
export function clusterSettings() {
  return {
    PARLEY_ENGINES: z
      .union([z.literal('auto'), integer(1, 64)], 'must be a number of processes from 1 to 64, or auto')
      .default('auto')
      .describe(
        'Engine processes on this machine, which share its ports: 1 for an engine in the process of the API. Of ' +
          'several, one that dies takes only its own sessions with it, and is started again. `auto`: 1 below four ' +
          'cores, then at least 2, one for every 3.2 cores, as the memory allows. It is 1 on other systems than Linux, ' +
          'and with `PARLEY_NODE_URL`.',
      ),
    REDIS_URL: z
      .string()
      .regex(/^rediss?:\/\/\S+$/, 'must be redis://host:6379 or rediss://user:password@host:6379')
      .optional()
      .describe(
        'Redis in which the processes of one PostgreSQL database count rates and sessions together, and find ' +
          'each other (`PARLEY_NODE_URL`): `redis://user:password@host:6379`. Unset: each process counts its own.',
      ),
    PARLEY_ROLE: z
      .enum(['all', 'control', 'engine'])
      .default('all')
      .describe(
        'What this process does: `all`; the API and the console without sessions of its own (`control`); or only ' +
          'what other processes ask of it (`engine`): it runs sessions, and takes their sockets and media.',
      ),
    PARLEY_NODE_URL: z
      .string()
      .regex(/^http:\/\/[^/\s]+\/?$/, 'must be http://host:port')
      .transform((url) => url.replace(/\/$/, ''))
      .optional()
      .describe(
        'Address at which the other processes of this deployment reach this one, for example ' +
          '`http://10.0.0.7:8080`. With it they are one service: a session starts on the process that has most ' +
          'room, and clients may talk to any of them. Unset: this process runs the sessions that it is asked for.',
      ),
  };
}

/** @param values texts by the name of the setting. @returns a line for each thing that would not work. */
export function clusterProblems(values: Readonly<Record<string, string | undefined>>): string[] {
  const has = (name: string): boolean => values[name] !== undefined;
  const problems: string[] = [];
  if (has('REDIS_URL') && !has('DATABASE_URL'))
    problems.push(
      'REDIS_URL: processes that count together share a database; set DATABASE_URL to that PostgreSQL as well',
    );
  if (has('PARLEY_NODE_URL') && !has('REDIS_URL'))
    problems.push('PARLEY_NODE_URL: processes find each other in Redis; set REDIS_URL, the same for all');
  if (has('PARLEY_NODE_URL') && !has('PARLEY_MASTER_KEY'))
    problems.push(
      'PARLEY_NODE_URL: processes know each other by their master key; set PARLEY_MASTER_KEY, the same for all',
    );
  if (values['PARLEY_ROLE'] === 'engine' && !has('PARLEY_NODE_URL'))
    problems.push('PARLEY_ROLE: an engine works for other processes, which must reach it; set PARLEY_NODE_URL');
  if (values['PARLEY_ROLE'] === 'control' && !(has('REDIS_URL') && has('PARLEY_MASTER_KEY')))
    problems.push(
      'PARLEY_ROLE: a process without sessions of its own finds engines in Redis; set REDIS_URL and PARLEY_MASTER_KEY, the same for all',
    );
  if (Number(values['PARLEY_ENGINES']) > 1 && (has('PARLEY_NODE_URL') || (values['PARLEY_ROLE'] ?? 'all') !== 'all'))
    problems.push(
      'PARLEY_ENGINES: a process that is one of several in Redis has one engine; start one process for each engine',
    );
  return problems;
}
