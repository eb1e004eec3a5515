import { useState } from 'preact/hooks';
import type { KnowledgeGroup } from '../../api/types.ts';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/fields.tsx';
import { FormEnd, RequestForm } from '../../components/request-form.tsx';
import { useFormWork } from '../../state/form-work.ts';
import { DocumentList } from '../knowledge/document-list.tsx';
import { createGroup } from '../knowledge/knowledge-api.ts';

/** New knowledge: its name, then its documents. */
export function KnowledgeDialog({
  suggestion,
  onMade,
  onClose,
}: {
  suggestion: string;
  onMade: (group: KnowledgeGroup) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState(suggestion);
  const [group, setGroup] = useState<KnowledgeGroup | null>(null);
  const form = useFormWork();

  async function onSend(): Promise<void> {
    const made = await createGroup(name);
    setGroup(made);
    onMade(made);
  }

  return (
    <Dialog title={group === null ? 'New knowledge' : `Documents of ${group.name}`} onClose={onClose}>
      {group === null ? (
        <RequestForm form={form} class="stack" onSend={onSend}>
          <TextField
            label="Name"
            path="name"
            required
            maxLength={255}
            placeholder="House rules"
            hint="Documents that belong together. You add them next."
            value={name}
            onInput={setName}
          />
          <FormEnd form={form} save="Create" cancel={onClose} />
        </RequestForm>
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
