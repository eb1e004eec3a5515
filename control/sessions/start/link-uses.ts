import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { stopSession } from './stop-session.ts';
import { linkStateOf, requireUsable } from './link-state.ts';
import type { Store } from '../../store/open.ts';
import type { Engine } from '../../../engine/ports.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Logger } from '../../../runtime/log.ts';

/** What is taken of the service here. */
export interface LinkUsesParts {
  readonly store: Store;
  readonly engine: Engine;
  readonly cluster: Cluster | null;
  readonly log: Logger;
  readonly now: () => number;
}

/**
 * Counts one more conversation of a link, unless its limit is reached. Check and count are one statement, so that
 * visitors who call at the same moment cannot exceed the limit.
 * @returns takes the count back, once; it never rejects. @throws HttpError 404, 410 or 429.
 */
export async function acquireLinkUse(
  control: Pick<LinkUsesParts, 'store' | 'log' | 'now'>,
  linkId: string,
): Promise<() => Promise<void>> {
  const { store } = control;
  const now = isoTime(control.now());
  const { numUpdatedRows } = await store.db
    .updateTable('share_links')
    .set((eb) => ({ usage_count: eb('usage_count', '+', 1) }))
    .where('id', '=', linkId)
    .where('enabled', '=', 1)
    .where((eb) => eb.or([eb('usage_limit', 'is', null), eb('usage_count', '<', eb.ref('usage_limit'))]))
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst();
  if (Number(numUpdatedRows) === 0) {
    const link = await store.db.selectFrom('share_links').selectAll().where('id', '=', linkId).executeTakeFirst();
    const state = linkStateOf(link, now);
    // Another use was given back between the two statements: this visitor can simply call again.
    requireUsable(state === 'usable' ? 'used up' : state);
  }
  let taken = true;
  return async () => {
    if (!taken) return;
    taken = false;
    await releaseLinkUse(control, linkId);
  };
}

/** For a session without a conversation. It never rejects. */
export async function releaseLinkUse(
  { store, log }: Pick<LinkUsesParts, 'store' | 'log'>,
  linkId: string,
): Promise<void> {
  await store.db
    .updateTable('share_links')
    .set((eb) => ({ usage_count: eb('usage_count', '-', 1) }))
    .where('id', '=', linkId)
    .where('usage_count', '>', 0)
    .execute()
    .catch((error: unknown) => log.warn({ err: error, linkId }, 'the use of a share link could not be given back'));
}

/** For a link that was withdrawn while the session was being started: `endLinkSessions` did not find it. */
export async function endIfWithdrawn(
  { store, engine }: Pick<LinkUsesParts, 'store' | 'engine'>,
  linkId: string,
  sessionId: string,
): Promise<void> {
  const link = await store.db.selectFrom('share_links').select('enabled').where('id', '=', linkId).executeTakeFirst();
  if (link?.enabled !== 1) engine.stopSession(sessionId, 'share_link_withdrawn');
}

/** Ends the conversations that were started with a link and still run. */
export async function endLinkSessions(
  control: Pick<LinkUsesParts, 'store' | 'engine' | 'cluster' | 'log'>,
  linkId: string,
): Promise<void> {
  const live = await control.store.db
    .selectFrom('sessions')
    .select('id')
    .where('share_link_id', '=', linkId)
    .where('end_time', 'is', null)
    .execute();
  await Promise.all(
    live.map(({ id }) =>
      stopSession(control, id, 'share_link_withdrawn').catch((error: unknown) =>
        control.log.warn({ err: error, sessionId: id }, 'a session of a withdrawn link could not be ended'),
      ),
    ),
  );
}
