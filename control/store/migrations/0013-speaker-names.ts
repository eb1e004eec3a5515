import type { Kysely } from 'kysely';

/** Who of a meeting said a message. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('session_messages').addColumn('speaker_name', 'text').execute();
}
