import type { Client } from 'pg';
import { ANSWERS_WITHIN_MS, CONNECT_WITHIN_MS, DiscardedIfSilent } from './postgres-pool.ts';

/**
 * The database itself notices within 25 s that the machine of a holder is gone. With its usual settings this takes two
 * hours, and nobody could take over what that machine had.
 */
const KEEPALIVE = 'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3';

/** A connection that holds advisory locks for as long as it lasts. It emits `end` when it breaks. */
export async function connectForLocks(databaseUrl: string): Promise<Client> {
  const client = new DiscardedIfSilent({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: ANSWERS_WITHIN_MS,
    keepAlive: true,
  });
  // Without a listener a connection that breaks would end the process; 'end' follows.
  client.on('error', () => {});
  await client.connect();
  await client.query(KEEPALIVE);
  return client;
}

/** @returns whether this connection has the lock now. It can take a lock of its own once more. */
export async function tryLock(client: Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken',
    [name],
  );
  return rows[0]?.taken === true;
}

export async function unlock(client: Client, name: string): Promise<void> {
  await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name]);
}
