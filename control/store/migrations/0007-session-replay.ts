import type { Kysely } from 'kysely';

/** Whether the sessions of a persona are recorded. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('personas')
    .addColumn('enable_session_replay', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
}
