import type { TargetedEvent } from 'preact';
import { deletion, undoDeletion, waitWithDeletion } from '../state/deletion.ts';

/** Who has the pointer or the keyboard there is not hurried. */
function waitForSomebody({ currentTarget }: TargetedEvent<HTMLElement>): void {
  waitWithDeletion(currentTarget.matches(':hover, :focus-within'));
}

/** What was just deleted, and the way back. */
export function UndoBar() {
  const now = deletion.value;
  return (
    <div class="undo-bar" role={now?.state === 'failed' ? 'alert' : 'status'}>
      {now?.state === 'can be undone' && (
        <div
          class="card"
          onPointerEnter={waitForSomebody}
          onPointerLeave={waitForSomebody}
          onFocusIn={waitForSomebody}
          onFocusOut={waitForSomebody}
        >
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
