import { Client, Pool, types } from 'pg';
import { isReadOnly } from './storage-errors.ts';

/** Connections of one process to PostgreSQL. */
const CONNECTIONS = 10;
/** A connection that is not there, or not free, by then will not come, ms. */
export const CONNECT_WITHIN_MS = 5_000;
/**
 * A request waits so long for PostgreSQL, ms. Its own slowest statements take tens of milliseconds (`bench/control-plane`).
 * A fail-over or a firewall that forgets a connection leaves it silent for good: TCP itself gives up after 15 minutes.
 */
export const ANSWERS_WITHIN_MS = 4_000;
/** The error of `pg` for a query that had no answer in time. */
const NO_ANSWER = 'Query read timeout';

/**
 * A connection that is closed once a query had no answer in time. `pg` alone gives up the query and keeps the connection,
 * whose next queries then wait for the lost answer.
 */
class ClosedIfSilent extends Client {
  override query(...args: never[]): never {
    const answer: unknown = super.query(...(args as unknown as [string]));
    if (answer instanceof Promise) answer.catch((error: unknown) => this.#discardIfSilent(error));
    return answer as never;
  }

  #discardIfSilent(error: unknown): void {
    // One that takes no writes may lead to a server that is not the primary any more.
    if (!isReadOnly(error) && (!(error instanceof Error) || error.message !== NO_ANSWER)) return;
    (this as unknown as { readonly connection: { readonly stream: { destroy(): void } } }).connection.stream.destroy();
  }
}

/** `pg` describes `query` by overloads, which a subclass cannot repeat. */
export const DiscardedIfSilent = ClosedIfSilent as unknown as typeof Client;

/**
 * A pool of connections to PostgreSQL.
 * @param patience `requests`: an answer comes within seconds, or the connection is replaced. `migrations`: rewriting a large
 * table takes as long as it takes.
 */
export function openPostgresPool(databaseUrl: string, patience: 'requests' | 'migrations'): Pool {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
    ...(patience === 'requests' && { Client: DiscardedIfSilent, query_timeout: ANSWERS_WITHIN_MS }),
    // Counts and sizes come as int8, which pg hands out as text; none of ours exceeds what a number holds.
    types: {
      getTypeParser: ((oid: number, format: never) =>
        oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  });
  // A broken connection is replaced at the next query; without listeners it would end the process. The pool's own
  // listener only hears of idle connections, not of those that are in use or being closed.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
