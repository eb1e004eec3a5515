import type { Kysely } from 'kysely';

/**
 * The progress of a video (0…1), and how often its making was started. A video that ends the process each time is given
 * up.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('avatar_videos')
    .addColumn('progress', 'double precision', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable('avatar_videos')
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex('avatar_videos_status').on('avatar_videos').columns(['status', 'created_at']).execute();
}
