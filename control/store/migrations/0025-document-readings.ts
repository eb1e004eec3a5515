import type { Kysely } from 'kysely';

/**
 * Documents are read again when the readers have learned something: headings, rows below their names, tables. The
 * passages of the new reading stand beside those of the one before until they are complete, so that each document is
 * found all the time. `reader` is the version of the readers that read it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['reading', 'reader'])
    await db.schema
      .alterTable('knowledge_documents')
      .addColumn(column, 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
  await db.schema
    .alterTable('knowledge_chunks')
    .addColumn('reading', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.dropIndex('knowledge_chunks_document').execute();
  await db.schema
    .createIndex('knowledge_chunks_document')
    .on('knowledge_chunks')
    .columns(['document_id', 'reading', 'chunk_index'])
    .unique()
    .execute();
}
