import type { Kysely } from 'kysely';

/** Tests of personas, their runs, and whether a draft has to pass them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('personas')
    .addColumn('publishing_requires_tests', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('persona_tests')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('persona_id', 'text', (c) => c.notNull().references('personas.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('definition_json', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('persona_tests_of_persona')
    .on('persona_tests')
    .columns(['persona_id', 'created_at'])
    .execute();
  await db.schema
    .createTable('persona_test_runs')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('persona_id', 'text', (c) => c.notNull().references('personas.id').onDelete('cascade'))
    // 0: the draft.
    .addColumn('version', 'integer', (c) => c.notNull())
    // Of what was tested: a draft changes while its number stays.
    .addColumn('content_hash', 'text', (c) => c.notNull())
    .addColumn('covers_all', 'integer', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('total', 'integer', (c) => c.notNull())
    .addColumn('passed', 'integer', (c) => c.notNull())
    .addColumn('failed', 'integer', (c) => c.notNull())
    .addColumn('results_json', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('persona_test_runs_of_persona')
    .on('persona_test_runs')
    .columns(['persona_id', 'created_at'])
    .execute();
}
