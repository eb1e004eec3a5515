import { type Kysely, sql } from 'kysely';

/**
 * Older versions left the persona's prompts, the label and what the client had sent with sessions whose content they
 * deleted (`expired_at`). A column of its own says that all of it is gone: those sessions are due again, and so are the
 * ones that an older process deletes while it runs beside a newer one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('sessions')
    .addColumn('is_erased', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.dropIndex('sessions_to_expire').execute();
  await db.schema
    .createIndex('sessions_to_erase')
    .on('sessions')
    .column('end_time')
    .where(sql.ref('is_erased'), '=', 0)
    .execute();
}
