import type { Kysely } from 'kysely';

/** What the providers of a session have done that is paid for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('session_usage')
    .addColumn('session_id', 'text', (c) => c.notNull().references('sessions.id').onDelete('cascade'))
    .addColumn('service', 'text', (c) => c.notNull())
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('place', 'integer', (c) => c.notNull())
    .addColumn('amounts_json', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('session_usage_key', ['session_id', 'service', 'provider', 'place'])
    .execute();
}
