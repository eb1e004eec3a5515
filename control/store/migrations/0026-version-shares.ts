import type { Kysely } from 'kysely';

/** Which versions the conversations of a share link have. Null: what is live. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('share_links').addColumn('versions_json', 'text').execute();
}
