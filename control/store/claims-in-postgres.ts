import type { Client } from 'pg';
import type { Claims } from './claims.ts';
import { connectForLocks, tryLock, unlock } from './lock-connection.ts';

/**
 * Claims as advisory locks of PostgreSQL, on a connection of their own. The database gives them back as soon as that
 * connection ends, also when the process is killed: nobody compares clocks, and nothing is left to clean up.
 */
export function claimsInPostgres(databaseUrl: string): Claims {
  const held = new Map<string, AbortController>();
  let connecting: Promise<Client> | null = null;

  function connection(): Promise<Client> {
    connecting ??= open().catch((error: unknown) => {
      connecting = null;
      throw error;
    });
    return connecting;
  }
  async function open(): Promise<Client> {
    const client = await connectForLocks(databaseUrl);
    client.once('end', () => {
      connecting = null;
      for (const lost of held.values()) lost.abort(new Error('The database gave the work to another process.'));
      held.clear();
    });
    return client;
  }

  return {
    areShared: true,
    async take(name) {
      // The same connection could take a lock twice.
      if (held.has(name)) return null;
      const lost = new AbortController();
      held.set(name, lost);
      try {
        const client = await connection();
        if (!(await tryLock(client, lockOf(name))) || lost.signal.aborted) {
          held.delete(name);
          return null;
        }
        return {
          lost: lost.signal,
          async release() {
            if (held.get(name) !== lost) return;
            // An error means that the connection ends, and the lock with it.
            await unlock(client, lockOf(name)).catch(() => {});
            held.delete(name);
          },
        };
      } catch (error) {
        held.delete(name);
        throw error;
      }
    },
    async close() {
      await (await connecting?.catch(() => null))?.end();
    },
  };
}

const lockOf = (name: string): string => `parley work ${name}`;
