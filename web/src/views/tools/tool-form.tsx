import { useState } from 'preact/hooks';
import type { KnowledgeGroup, Tool } from '../../api/types.ts';
import { DeleteDialog } from '../../components/delete-dialog.tsx';
import { CheckField, SelectField, TextField } from '../../components/fields.tsx';
import { FormEnd, RequestForm } from '../../components/request-form.tsx';
import { useFormWork } from '../../state/form-work.ts';
import { createTool, type ToolDetails, updateTool } from './tool-api.ts';
import { draftOf, inputOf, KINDS, type ToolDraft } from './tool-draft.ts';
import { ToolFields } from './tool-fields.tsx';
import { Options } from '../../components/options.tsx';

/** @param props.tool null makes a new one. @param props.cancel where one goes without saving. */
export function ToolForm({
  tool,
  groups,
  cancel,
  onSaved,
  onDeleted,
}: {
  tool: ToolDetails | null;
  groups: readonly KnowledgeGroup[];
  cancel: string | (() => void);
  onSaved: (tool: ToolDetails) => void;
  onDeleted?: () => void;
}) {
  const [draft, setDraft] = useState(() => draftOf(tool));
  const [asksToDelete, setAsksToDelete] = useState(false);
  const form = useFormWork();
  const change = (part: Partial<typeof draft>): void => setDraft({ ...draft, ...part });

  async function onSend(): Promise<void> {
    const input = inputOf(draft);
    onSaved(await (tool === null ? createTool(input) : updateTool(tool.id, input)));
  }
  const isSystem = tool?.type === 'SYSTEM';
  return (
    <RequestForm form={form} class="card padded stack" onSend={onSend}>
      <Purpose draft={draft} change={change} />
      <ToolFields draft={draft} groups={groups} change={change} />
      <CheckField
        label="The user cannot interrupt while it runs"
        path="disableInterruptions"
        checked={draft.disableInterruptions}
        onChange={(disableInterruptions) => change({ disableInterruptions })}
      />
      {isSystem ? (
        <p class="muted small">Tools of the conversation cannot be changed or deleted.</p>
      ) : (
        <FormEnd
          form={form}
          save={tool === null ? 'Create' : 'Save'}
          cancel={cancel}
          onDelete={tool === null ? undefined : () => setAsksToDelete(true)}
        />
      )}
      {asksToDelete && tool !== null && (
        <DeleteDialog
          name={tool.name}
          path={`/v1/tools/${tool.id}`}
          text="This cannot be undone."
          onClose={() => setAsksToDelete(false)}
          onDeleted={() => onDeleted?.()}
        />
      )}
    </RequestForm>
  );
}

/** What kind of tool it is, and when the persona uses it. */
function Purpose({ draft, change }: { draft: ToolDraft; change: (part: Partial<ToolDraft>) => void }) {
  return (
    <>
      <SelectField
        label="Kind of tool"
        path="type"
        value={draft.type}
        hint={KINDS[draft.type].hint}
        onChange={(type) => change({ type: type as Tool['type'] })}
      >
        <Options of={Object.entries(KINDS).map(([type, { name }]) => [type, name])} />
      </SelectField>
      <TextField
        label="Name"
        path="name"
        required
        maxLength={64}
        placeholder="free_rooms"
        hint="Letters, digits, _, . and -"
        value={draft.name}
        onInput={(name) => change({ name })}
      />
      <TextField
        label="When to use it"
        path="description"
        required
        lines={3}
        maxLength={1024}
        placeholder="Tells which rooms are free. Use it when the user wants to book."
        hint="The persona decides by this text."
        value={draft.description}
        onInput={(description) => change({ description })}
      />
    </>
  );
}
