import type { Store } from '../store/open.ts';

const LOST = 'The engine of this session was lost, and no other one could go on with it.';

/** Ends sessions that nobody could go on with, so that none looks active that is not. @param now ms since the epoch. */
export async function endLostSessions(store: Store, sessionIds: readonly string[], now: number): Promise<void> {
  const at = new Date(now).toISOString();
  await store.db
    .updateTable('sessions')
    .set({ end_time: at, exit_status: 'ERROR', end_reason: 'engine_error', end_message: LOST, updated_at: at })
    .where('end_time', 'is', null)
    .where('id', 'in', sessionIds)
    .execute();
}
