import type { Kysely } from 'kysely';

/** How a persona acts, and how long its sessions may be. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('personas').addColumn('director_notes_json', 'text').execute();
  await db.schema.alterTable('personas').addColumn('max_session_length_seconds', 'double precision').execute();
}
