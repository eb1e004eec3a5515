import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type Compilable,
} from 'kysely';
import pino from 'pino';
import { expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import type { Store } from '../../store/open.ts';
import type { Database } from '../../store/tables.ts';
import { SessionStore } from './session-store.ts';
import { turn } from './testing/records.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A database that answers no question, and takes writes when the test says so. */
function storeThatWaits() {
  const written: string[] = [];
  const { promise: isBack, resolve: comeBack } = Promise.withResolvers<void>();
  const db = new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const store: Pick<Store, 'db' | 'atomically'> = {
    db,
    async atomically(statements: readonly Compilable[]) {
      await isBack;
      for (const statement of statements) written.push(statement.compile().sql);
    },
  };
  return { store: store as Store, written, comeBack };
}

/**
 * PostgreSQL restarted while nodes were replaced. Hand-overs waited for it: clients were not sent to the next node, and
 * their old connections stayed open.
 */
it('a session that is handed over waits for the database only shortly, and what it said is stored later', async () => {
  const clock = new SimulatedClock();
  const { store, written, comeBack } = storeThatWaits();
  const log = pino({ level: 'silent' });
  const sessions = new SessionStore({ store, log, now: () => 0, keepEvents: false, timers: clock });
  let slots = 1;
  await sessions.begin(
    { id: 'session', organization_id: 'org', start_time: new Date(0).toISOString() } as never,
    () => {},
    null,
    () => (slots -= 1),
  );
  sessions.entry('session', { kind: 'turn', turn: turn() });
  let stage: 'leaving' | 'left' = 'leaving';
  const leaving = sessions.left('session').then(() => (stage = 'left'));
  clock.increment(499);
  await settled();
  expect(stage).toBe('leaving');
  expect(slots).toBe(0);
  clock.increment(1);
  await leaving;
  expect(written).toEqual([]);
  comeBack();
  await sessions.flush();
  expect(written).toEqual([expect.stringContaining('session_turns')]);
});
