import type { Kysely } from 'kysely';

/**
 * Older versions left the persona's prompts, the label and what the client had sent with sessions whose content they
 * deleted. Those are due again: what is gone already is not missed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const sessions = db as Kysely<{ sessions: { expired_at: string | null } }>;
  await sessions.updateTable('sessions').set({ expired_at: null }).where('expired_at', 'is not', null).execute();
}
