import { deletion, undoDeletion } from '../state/deletion.ts';

/** What was just deleted, and the way back. */
export function UndoBar() {
  const now = deletion.value;
  return (
    <div class="undo-bar" role={now?.state === 'failed' ? 'alert' : 'status'}>
      {now?.state === 'can be undone' && (
        <div class="card">
          <span>{now.name} is deleted.</span>
          <button class="button" type="button" onClick={undoDeletion}>
            Undo<span class="visually-hidden"> the deletion of {now.name}</span>
          </button>
        </div>
      )}
      {now?.state === 'failed' && (
        <div class="card">
          <span>
            {now.name} was not deleted: {now.message}
          </span>
          <button class="button" type="button" onClick={() => (deletion.value = null)}>
            Close
          </button>
        </div>
      )}
    </div>
  );
}
