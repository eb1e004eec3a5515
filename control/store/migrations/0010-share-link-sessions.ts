import type { Kysely } from 'kysely';

/** Which share link started a session. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Not a reference: the record of a session outlives its link.
  await db.schema.alterTable('sessions').addColumn('share_link_id', 'text').execute();
  await db.schema
    .createIndex('sessions_of_share_link')
    .on('sessions')
    .column('share_link_id')
    .where('share_link_id' as never, 'is not', null)
    .execute();
}
