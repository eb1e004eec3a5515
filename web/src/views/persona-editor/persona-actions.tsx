import { useState } from 'preact/hooks';
import type { Persona } from '../../api/types.ts';
import { DeleteDialog } from '../../components/delete-dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { useBlocked } from '../../components/permission.tsx';
import { companionOf } from '../../state/companions.ts';
import { saveUnsavedChanges, unsaved } from '../../state/unsaved-changes.ts';
import { go, NEW } from '../../state/route.ts';
import { start } from '../../state/talk.ts';
import { confirm } from '../../state/confirm.ts';
import { saveFile } from '../../state/save-file.ts';
import { useWork } from '../../state/work.ts';
import { listAllMcpServers } from '../mcp-servers/mcp-api.ts';
import { listAllTools } from '../tools/tool-api.ts';
import type { Choices, PersonaDraft } from './persona-draft.ts';
import { personaFile, stockOf } from './persona-file.ts';
import { FailedWork } from '../../components/notice.tsx';

/** What can be done with a saved persona. @param props.draft as it stands in the form: a copy is made of it. */
export function PersonaActions(props: { persona: Persona; draft: PersonaDraft; choices: Choices; onTry: () => void }) {
  const { persona, draft, choices, onTry } = props;
  const [isAsking, setAsking] = useState(false);
  const isOnlySeen = useBlocked() !== null;

  function onTalk(): void {
    void start(companionOf(persona), true);
    go('#/');
  }
  async function onDuplicate(): Promise<void> {
    const text = 'There is a new persona that is not created yet. It is lost.';
    if (unsaved.value.has(NEW) && !(await confirm({ title: 'Replace it by the copy?', text, yes: 'Replace' }))) return;
    saveUnsavedChanges(NEW, { ...draft, name: `${draft.name} (copy)` });
    go(`#/personas/${NEW}`);
  }
  function onDeleted(): void {
    saveUnsavedChanges(persona.id, null);
    go('#/');
  }

  return (
    <div class="row persona-actions">
      <button class="button" type="button" onClick={onTry}>
        <Icon name="talk" />
        <span>
          Try<span class="label"> the draft</span>
        </span>
      </button>
      <button class="button" type="button" onClick={onTalk}>
        <Icon name="mic" />
        Talk<span class="visually-hidden"> with {persona.name}</span>
      </button>
      {!isOnlySeen && (
        <button class="button quiet" type="button" title="Duplicate" onClick={() => void onDuplicate()}>
          <Icon name="copy" />
          <span class="label">Duplicate</span>
        </button>
      )}
      <ExportButton draft={draft} choices={choices} />
      {!isOnlySeen && (
        <button class="button quiet delete" type="button" title="Delete" onClick={() => setAsking(true)}>
          <Icon name="trash" />
          <span class="label">Delete</span>
        </button>
      )}
      {isAsking && (
        <DeleteDialog
          name={persona.name}
          path={`/v1/personas/${encodeURIComponent(persona.id)}`}
          text="Its tests and versions go with it. This cannot be undone."
          onClose={() => setAsking(false)}
          onDeleted={onDeleted}
        />
      )}
    </div>
  );
}

/** Saves the persona as a file, as it stands in the form. */
function ExportButton({ draft, choices }: { draft: PersonaDraft; choices: Choices }) {
  const { work, run } = useWork();
  const onExport = (): void =>
    void run(async () => {
      const [tools, mcpServers] = await Promise.all([listAllTools(), listAllMcpServers()]);
      const text = personaFile(draft, stockOf(choices, { tools, mcpServers }));
      saveFile(`${fileName(draft.name)}.persona.json`, new Blob([text], { type: 'application/json' }));
    });
  return (
    <>
      <button class="button quiet" type="button" title="Export" onClick={onExport}>
        <Icon name="download" />
        <span class="label">Export</span>
      </button>
      <FailedWork work={work} />
    </>
  );
}

/** @returns a name that every file system takes. */
function fileName(name: string): string {
  return (
    name
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '')
      .toLowerCase() || 'persona'
  );
}
