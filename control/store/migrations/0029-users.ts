import type { Kysely } from 'kysely';

/** People who sign in, and what they started. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('email', 'text', (c) => c.notNull().unique())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('password_hash', 'text')
    .addColumn('invitation_hash', 'text', (c) => c.unique())
    .addColumn('invitation_until', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('last_sign_in_at', 'text')
    .addColumn('disabled_at', 'text')
    .execute();
  await db.schema.createIndex('users_newest').on('users').columns(['organization_id', 'created_at']).execute();
  await db.schema
    .createTable('sign_ins')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('last_used_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('sign_ins_of_user').on('sign_ins').column('user_id').execute();
  // Without a reference: what somebody did stays when their access ends.
  await db.schema.alterTable('sessions').addColumn('user_id', 'text').execute();
  await db.schema.alterTable('meeting_invites').addColumn('user_id', 'text').execute();
  await db.schema.alterTable('persona_versions').addColumn('user_id', 'text').execute();
  await db.schema.alterTable('persona_versions').addColumn('api_key_id', 'text').execute();
}
