import { useState } from 'preact/hooks';
import type { KnowledgeGroup, Tool } from '../../api/types.ts';
import { CheckField, SelectField, TextField } from '../../components/fields.tsx';
import { BackLink, FormEnd, PageHead, Shown } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';
import { go } from '../../state/route.ts';
import { useWork } from '../../state/work.ts';
import { createTool, deleteTool, getTool, listGroups, type ToolDetails, updateTool } from './tool-api.ts';
import { draftOf, inputOf, KINDS } from './tool-draft.ts';
import { ToolFields } from './tool-fields.tsx';
import { ToolTest } from './tool-test.tsx';

/** @param id null makes a new one. */
export function ToolEditor({ id }: { id: string | null }) {
  const loaded = useLoaded(id ?? 'new', async () => {
    const [tool, groups] = await Promise.all([id === null ? null : getTool(id), listGroups()]);
    return { tool, groups };
  });
  return (
    <main class="page">
      <BackLink href="#/tools">All tools</BackLink>
      <Shown loaded={loaded}>
        {({ tool, groups }) => (
          <>
            <PageHead title={tool?.name ?? 'New tool'} text={tool?.description ?? 'Something that personas can do.'} />
            <div class="columns">
              <Form key={tool?.updatedAt} tool={tool} groups={groups} saved={loaded.again} />
              {tool !== null && tool.unreadable !== true && tool.type.startsWith('SERVER_') ? (
                <ToolTest key={tool.updatedAt} tool={tool} />
              ) : (
                <p class="muted small">
                  {tool === null
                    ? 'Once it is created, a tool that runs on the server can be tested here.'
                    : 'This tool runs only in a conversation.'}
                </p>
              )}
            </div>
          </>
        )}
      </Shown>
    </main>
  );
}

function Form({
  tool,
  groups,
  saved,
}: {
  tool: ToolDetails | null;
  groups: readonly KnowledgeGroup[];
  saved: () => void;
}) {
  const [draft, setDraft] = useState(() => draftOf(tool));
  const { work, run } = useWork();
  const change = (part: Partial<typeof draft>): void => setDraft({ ...draft, ...part });

  function onSubmit(event: Event): void {
    event.preventDefault();
    void run(async () => {
      const input = inputOf(draft);
      if (tool === null) go(`#/tools/${(await createTool(input)).id}`);
      else {
        await updateTool(tool.id, input);
        saved();
      }
    });
  }
  function onDelete(): void {
    if (tool !== null && confirm(`Delete ${tool.name}? Personas lose it.`))
      void run(async () => {
        await deleteTool(tool.id);
        go('#/tools');
      });
  }
  const isSystem = tool?.type === 'SYSTEM';
  return (
    <form class="card padded stack" onSubmit={onSubmit}>
      <SelectField
        label="Kind of tool"
        value={draft.type}
        hint={KINDS[draft.type].hint}
        onChange={(type) => change({ type: type as Tool['type'] })}
      >
        {Object.entries(KINDS).map(([type, { name }]) => (
          <option key={type} value={type}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Name"
        required
        maxLength={64}
        placeholder="free_rooms"
        hint="Letters, digits, _, . and -"
        value={draft.name}
        onInput={(name) => change({ name })}
      />
      <TextField
        label="When to use it"
        required
        lines={3}
        maxLength={1024}
        placeholder="Tells which rooms are free. Use it when the user wants to book."
        hint="The persona decides by this text."
        value={draft.description}
        onInput={(description) => change({ description })}
      />
      <ToolFields draft={draft} groups={groups} change={change} />
      <CheckField
        label="The user cannot interrupt while it runs"
        checked={draft.disableInterruptions}
        onChange={(disableInterruptions) => change({ disableInterruptions })}
      />
      {isSystem ? (
        <p class="muted small">Tools of the conversation cannot be changed or deleted.</p>
      ) : (
        <FormEnd
          work={work}
          save={tool === null ? 'Create' : 'Save'}
          cancel="#/tools"
          onDelete={tool === null ? undefined : onDelete}
        />
      )}
    </form>
  );
}
