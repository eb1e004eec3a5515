import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Logger } from '../../runtime/log.ts';
import { StartError } from '../../runtime/start-error.ts';
import { connectForLocks, tryLock } from './lock-connection.ts';
import { storeProblem } from './store-problem.ts';

/** A name under which sessions are noted in a shared database, held by one process. */
export interface EngineNameLock {
  release(): Promise<void>;
}

/**
 * How long a start waits for the name, ms. The database notices within milliseconds that a process was killed, unless
 * it is busy.
 */
const WAIT_MS = 3000;
const ASK_EVERY_MS = 200;
/** How long after a broken connection the name is taken again, ms. A database that restarts is away for seconds. */
const RECONNECT_MS = 1000;

/**
 * Holds the engine's name with an advisory lock of PostgreSQL, on a connection of its own. A second process of the same
 * name would take the live sessions of the first for those of a crash, and close them.
 * @throws StartError when another process holds it.
 */
export async function lockEngineName(databaseUrl: string, engineId: string, log: Logger): Promise<EngineNameLock> {
  const released = new AbortController();
  let client = await connectForLocks(databaseUrl).catch((error: unknown) => {
    throw storeProblem(error, null) ?? error;
  });
  if (!(await take(client, engineId, WAIT_MS))) {
    await client.end();
    throw new StartError(
      `PARLEY_ENGINE_ID: another Parley named "${engineId}" is running on this database. Stop that one first, or give this one a name of its own, for example PARLEY_ENGINE_ID=${engineId}-2.`,
    );
  }
  client.once('end', () => void takeAgain());

  async function takeAgain(): Promise<void> {
    while (!released.signal.aborted) {
      await pause(RECONNECT_MS, null, { signal: released.signal }).catch(() => {});
      const next = await connectForLocks(databaseUrl).catch(() => null);
      if (next === null) continue;
      if (!released.signal.aborted && (await take(next, engineId, 0).catch(() => false))) {
        client = next;
        client.once('end', () => void takeAgain());
        return;
      }
      if (!released.signal.aborted)
        log.error(
          { engineId },
          'while the database was away, another process took the PARLEY_ENGINE_ID of this one: stop one of them',
        );
      await next.end().catch(() => {});
    }
  }

  return {
    async release() {
      released.abort();
      await client.end();
    },
  };
}

/** @returns false if another session of the database still holds it after this time, ms. */
async function take(client: Client, engineId: string, waitMs: number): Promise<boolean> {
  for (let waited = 0; ; waited += ASK_EVERY_MS) {
    if (await tryLock(client, `parley engine ${engineId}`)) return true;
    if (waited >= waitMs) return false;
    await pause(ASK_EVERY_MS);
  }
}
