import { sql, type Kysely } from 'kysely';

/** What a session token stands for is kept encrypted. Tokens that were minted before end here: none would have lived longer than a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from session_tokens`.execute(db);
  await db.schema.alterTable('session_tokens').renameColumn('request_json', 'request_cipher').execute();
}
