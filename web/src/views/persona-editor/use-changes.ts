import { useLayoutEffect, useState } from 'preact/hooks';
import { saveUnsavedChanges, loadUnsavedChanges } from '../../state/unsaved-changes.ts';
import type { StoredDraft } from './draft-api.ts';
import { afterSaving, type Changes, isSame, type PersonaDraft, withChange } from './persona-draft.ts';

export interface FormChanges {
  /** To what is live. */
  readonly changes: Changes;
  /** There is something that is not in the draft yet. */
  readonly isChanged: boolean;
  /** The service keeps a draft. */
  readonly hasDraft: boolean;
  /** They were in this browser from before. */
  readonly isRestored: boolean;
  /** A part begins anew when its changes are discarded: some keep what was typed. */
  readonly round: number;
  change(part: Changes): void;
  /** The service has them now: this browser need not keep them. */
  sent(): void;
  /** What was sent is this draft now. */
  stored(draft: StoredDraft, sent: Changes): void;
  /** They are live, or discarded. */
  clear(): void;
}

/**
 * What is changed in the form of a persona. It is kept in this browser until it is saved as the draft.
 * @param base what is live. @param name under which it is kept. @param draft null: the service keeps none.
 */
export function useChanges(base: PersonaDraft, name: string, draft: StoredDraft | null): FormChanges {
  const [stored, setStored] = useState<Changes>(() => withChange(base, {}, (draft?.changes ?? {}) as Changes));
  const [isRestored, setRestored] = useState(() => loadUnsavedChanges<Changes>(name) !== null);
  const [changes, setChanges] = useState<Changes>(() =>
    withChange(base, {}, loadUnsavedChanges<Changes>(name) ?? stored),
  );
  const [round, setRound] = useState(0);
  const isChanged = !isSame(changes, stored);
  // At once: an effect that waits for a frame kept what was created meanwhile as changes of the next new persona.
  useLayoutEffect(() => saveUnsavedChanges(name, isChanged ? changes : null), [name, changes, isChanged]);
  return {
    changes,
    isChanged,
    hasDraft: Object.keys(stored).length > 0,
    isRestored,
    round,
    change: (part) => setChanges((before) => withChange(base, before, part)),
    sent() {
      setRestored(false);
      saveUnsavedChanges(name, null);
    },
    stored(saved, sent) {
      const kept = withChange(base, {}, saved.changes as Changes);
      setStored(kept);
      setChanges((now) => afterSaving(base, sent, now, kept));
    },
    clear() {
      setStored({});
      setChanges({});
      setRestored(false);
      setRound(round + 1);
    },
  };
}
