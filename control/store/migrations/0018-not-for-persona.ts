import type { Kysely } from 'kysely';

/** What was understood, but not taken as said to the persona. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('session_messages')
    .addColumn('for_persona', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
}
