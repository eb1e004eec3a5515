import { deleteSessionContent } from '../../api/routes.ts';
import type { SessionSummary } from '../../api/types.ts';
import { deletedIds, deleteSoon } from '../../state/deletion.ts';

/** Whether what was said is gone, or goes in a moment. Times and counts stay. */
export const isContentDeleted = ({ id, contentDeletedAt }: Pick<SessionSummary, 'id' | 'contentDeletedAt'>): boolean =>
  (contentDeletedAt ?? null) !== null || deletedIds.value.has(id);

/** Deletes what was said in sessions that are over; it can be undone for some seconds. @param onDeleted some are, maybe not all. */
export function deleteContentSoon(ids: readonly string[], onDeleted: () => void): void {
  const name = ids.length === 1 ? 'The content of a session' : `The content of ${ids.length} sessions`;
  deleteSoon(ids, name, async () => {
    const results = await Promise.allSettled(ids.map(deleteSessionContent));
    onDeleted();
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  });
}
