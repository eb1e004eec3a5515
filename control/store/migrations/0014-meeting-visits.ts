import { type Kysely, sql } from 'kysely';

/** When a meeting invite is due, which process works on it, and which process keeps a place for it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const table = () => db.schema.alterTable('meeting_invites');
  await table().addColumn('status_message', 'text').execute();
  await table()
    .addColumn('due_at', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
  await table()
    .addColumn('join_by', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
  await table()
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await table().addColumn('place_on', 'text').execute();
  await table().addColumn('visited_from', 'text').execute();
  await table().addColumn('visit_id', 'text').execute();
  await table().addColumn('visit_seen_at', 'text').execute();
  // No service could join a meeting before.
  await sql`update meeting_invites set status = 'failed', status_reason = 'provider_error' where status = 'pending'`.execute(
    db,
  );
  await db.schema
    .createIndex('meeting_invites_due')
    .on('meeting_invites')
    .column('due_at')
    .where('status' as never, 'in', ['pending', 'active'])
    .execute();
}
