import type { Kysely } from 'kysely';

/** What is filled into the texts of a persona, and what a share link gives. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('personas')
    .addColumn('variables_json', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute();
  await db.schema
    .alterTable('share_links')
    .addColumn('variable_values_json', 'text', (c) => c.notNull().defaultTo('{}'))
    .execute();
}
