import type { Kysely } from 'kysely';

/** How often the reading of a document was started. A document that ends the service each time is given up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('knowledge_documents')
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
}
