import type { Kysely } from 'kysely';

/** How an organization wants speech to be recognized. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('organization_transcription')
    .addColumn('organization_id', 'text', (c) => c.primaryKey().references('organizations.id'))
    .addColumn('language_code', 'text')
    .addColumn('recognizer', 'text')
    .addColumn('key_terms_json', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute();
}
