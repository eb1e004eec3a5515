import { type Kysely, sql } from 'kysely';

/**
 * Rows of sessions stay, so both questions that are asked again and again read more of them each year: which sessions
 * are still open, and which have ended so long ago that their content is due.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('sessions_open')
    .on('sessions')
    .column('engine_id')
    .where(sql.ref('end_time'), 'is', null)
    .execute();
  await db.schema
    .createIndex('sessions_to_expire')
    .on('sessions')
    .column('end_time')
    .where(sql.ref('expired_at'), 'is', null)
    .execute();
}
