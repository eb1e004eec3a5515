import { isoTime } from '../../../actors/kernel/iso-time.ts';
import type { KnowledgeDocumentRow } from '../../store/tables.ts';
import { removeDocumentFiles } from './document-rows.ts';
import { removePassages } from './store-passages.ts';
import type { Store } from '../../store/open.ts';
import type { Blobs } from '../../store/blobs.ts';
import type { Logger } from '../../../runtime/log.ts';

/** What is taken of the service here. */
export interface RemoveDocumentsParts {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly log: Logger;
  readonly now: () => number;
}

/**
 * Deletes documents. From the beginning, no search finds them. Their passages are deleted in short steps, because
 * deleting 50 MB at once takes SQLite up to a minute, in which nobody else could write.
 */
export async function removeDocuments(
  control: RemoveDocumentsParts,
  rows: readonly KnowledgeDocumentRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const { db } = control.store;
  const ids = rows.map((row) => row.id);
  // Seen only if the service ends in the middle.
  const hidden = {
    status: 'FAILED',
    error_message: 'Its deletion was cut off. Delete it again.',
    updated_at: isoTime(control.now()),
  } as const;
  await db.updateTable('knowledge_documents').set(hidden).where('id', 'in', ids).execute();
  for (const id of ids) {
    await removePassages(control.store, id);
    await db.deleteFrom('knowledge_documents').where('id', '=', id).execute();
  }
  await removeDocumentFiles(control, rows);
}
