import { sql, type Kysely } from 'kysely';

/**
 * The session requests of tokens are kept encrypted. Tokens from before this become invalid: none would have lived
 * longer than a day.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from session_tokens`.execute(db);
  await db.schema.alterTable('session_tokens').renameColumn('request_json', 'request_cipher').execute();
}
