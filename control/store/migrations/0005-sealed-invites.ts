import { sql, type Kysely } from 'kysely';

/**
 * What a meeting invite asks for is kept encrypted: its persona may carry the headers of webhooks. Nothing had read
 * what was kept in clear.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update meeting_invites set request_json = ''`.execute(db);
  await db.schema.alterTable('meeting_invites').renameColumn('request_json', 'request_cipher').execute();
}
