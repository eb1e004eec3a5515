import { sql } from 'kysely';
import type { Store } from './open.ts';

/** @returns ms since the epoch, the same for all processes of one database. */
export type SharedClock = () => Promise<number>;

/**
 * The database's clock: what processes write for each other to compare is in its time, so that it does not matter how
 * far their own clocks are apart. SQLite belongs to one process, whose clock it has.
 */
export function sharedClock({ kind, db }: Pick<Store, 'kind' | 'db'>): SharedClock {
  if (kind === 'sqlite') return async () => Date.now();
  return async () => {
    // float8, unlike numeric, comes as a number.
    const { rows } = await sql<{ now: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db);
    return rows[0]!.now;
  };
}
