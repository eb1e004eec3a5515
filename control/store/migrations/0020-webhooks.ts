import { type Kysely, sql } from 'kysely';

/** Where events are sent, and the outbox: each row is one event on its way to one webhook, and then its record. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhooks')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('secret_cipher', 'text', (c) => c.notNull())
    .addColumn('previous_secret_cipher', 'text')
    .addColumn('previous_secret_until', 'text')
    .addColumn('event_types_json', 'text', (c) => c.notNull())
    .addColumn('persona_ids_json', 'text')
    .addColumn('enabled', 'integer', (c) => c.notNull())
    .addColumn('failures_in_a_row', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('failing_since', 'text')
    .addColumn('rests_until', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text')
    .execute();
  await db.schema.createIndex('webhooks_newest').on('webhooks').columns(['organization_id', 'created_at']).execute();
  await db.schema
    .createTable('webhook_deliveries')
    .addColumn('webhook_id', 'text', (c) => c.notNull().references('webhooks.id').onDelete('cascade'))
    .addColumn('event_id', 'text', (c) => c.notNull())
    .addColumn('event_type', 'text', (c) => c.notNull())
    .addColumn('session_id', 'text')
    .addColumn('persona_id', 'text')
    .addColumn('data_json', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('due_at', 'text', (c) => c.notNull())
    .addColumn('give_up_at', 'text', (c) => c.notNull())
    .addColumn('last_attempt_at', 'text')
    .addColumn('last_status', 'integer')
    .addColumn('last_problem', 'text')
    .addColumn('last_duration_ms', 'integer')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('webhook_deliveries_key', ['webhook_id', 'event_id'])
    .execute();
  await db.schema
    .createIndex('webhook_deliveries_due')
    .on('webhook_deliveries')
    .columns(['webhook_id', 'due_at'])
    .where(sql.ref('status'), '=', 'pending')
    .execute();
  await db.schema
    .createIndex('webhook_deliveries_newest')
    .on('webhook_deliveries')
    .columns(['webhook_id', 'created_at'])
    .execute();
  await db.schema.createIndex('webhook_deliveries_session').on('webhook_deliveries').column('session_id').execute();
  await db.schema.createIndex('webhook_deliveries_oldest').on('webhook_deliveries').column('created_at').execute();
}
