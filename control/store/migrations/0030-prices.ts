import type { Kysely } from 'kysely';

/** What providers are paid, and with which prices a session has ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('llms').addColumn('prices_json', 'text').execute();
  await db.schema
    .createTable('organization_prices')
    .addColumn('organization_id', 'text', (c) => c.primaryKey().references('organizations.id'))
    .addColumn('prices_json', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute();
  // An LLM of the organization. Null: another one, or none.
  await db.schema.alterTable('sessions').addColumn('llm_id', 'text').execute();
  await db.schema.alterTable('sessions').addColumn('prices_json', 'text').execute();
  await db.schema.alterTable('sessions').addColumn('llm_prices_json', 'text').execute();
}
