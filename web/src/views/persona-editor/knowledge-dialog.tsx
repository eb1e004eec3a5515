import { useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { DocumentList } from '../knowledge/document-list.tsx';
import type { GroupDetails } from '../knowledge/knowledge-api.ts';
import { NewGroupForm } from '../knowledge/new-group-form.tsx';

/** New knowledge: its name, then its documents. */
export function KnowledgeDialog({
  suggestion,
  onMade,
  onClose,
}: {
  suggestion: string;
  onMade: (group: GroupDetails) => void;
  onClose: () => void;
}) {
  const [group, setGroup] = useState<GroupDetails | null>(null);

  function onCreated(made: GroupDetails): void {
    setGroup(made);
    onMade(made);
  }

  return (
    <Dialog title={group === null ? 'New knowledge' : `Documents of ${group.name}`} onClose={onClose}>
      {group === null ? (
        <NewGroupForm
          class="stack"
          suggestion={suggestion}
          hint="Documents that belong together. You add them next."
          cancel={onClose}
          onCreated={onCreated}
        />
      ) : (
        <div class="stack">
          <DocumentList groupId={group.id} />
          <div class="form-end">
            <button class="button primary" type="button" onClick={onClose}>
              Done
            </button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
