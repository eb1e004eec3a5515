import type { Kysely } from 'kysely';

/** What was live when, what is to be, and which of them a session had. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('personas')
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
  await db.schema
    .createTable('persona_versions')
    .addColumn('persona_id', 'text', (c) => c.notNull().references('personas.id').onDelete('cascade'))
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('content_json', 'text', (c) => c.notNull())
    .addColumn('note', 'text', (c) => c.notNull())
    .addColumn('origin', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('persona_versions_key', ['persona_id', 'number'])
    .execute();
  await db.schema
    .createTable('persona_drafts')
    .addColumn('persona_id', 'text', (c) => c.primaryKey().references('personas.id').onDelete('cascade'))
    .addColumn('changes_json', 'text', (c) => c.notNull())
    .addColumn('base_version', 'integer', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('persona_drafts_oldest').on('persona_drafts').column('updated_at').execute();
  // 0: the draft. Null: a persona that was in the request, or a session of an older version of Parley.
  await db.schema.alterTable('sessions').addColumn('persona_version', 'integer').execute();
}
