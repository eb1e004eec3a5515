import type { Kysely } from 'kysely';

/** What becomes of a conversation when it is over: what a persona wants to know, and what its LLM says. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('personas').addColumn('grading_json', 'text').execute();
  // As its version of the persona asks for it. Null: for nothing.
  await db.schema.alterTable('sessions').addColumn('grading_json', 'text').execute();
  await db.schema.alterTable('sessions').addColumn('grade', 'text').execute();
  await db.schema
    .createTable('session_grades')
    .addColumn('session_id', 'text', (c) => c.primaryKey().references('sessions.id').onDelete('cascade'))
    .addColumn('attempts', 'integer', (c) => c.notNull())
    // Null: nothing is to be done any more.
    .addColumn('due_at', 'text')
    .addColumn('problem', 'text')
    // Names and verdicts stay when content is deleted; what an LLM wrote does not.
    .addColumn('verdicts_json', 'text')
    .addColumn('content_json', 'text')
    .addColumn('graded_at', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('session_grades_due').on('session_grades').columns(['due_at']).execute();
  await db.schema
    .createIndex('sessions_of_version')
    .on('sessions')
    .columns(['persona_id', 'persona_version'])
    .execute();
}
