import type { KnowledgeGroup } from '../../api/types.ts';
import { CheckField, SelectField, TextField } from '../../components/fields.tsx';
import { GroupField } from '../../components/group-field.tsx';
import { ParameterList } from './parameter-list.tsx';
import { ACTIONS, METHODS, type ToolDraft } from './tool-draft.ts';

/** What a tool of the chosen kind needs. */
export function ToolFields({
  draft,
  groups,
  change,
}: {
  draft: ToolDraft;
  groups: readonly KnowledgeGroup[];
  change: (part: Partial<ToolDraft>) => void;
}) {
  switch (draft.type) {
    case 'SERVER_WEBHOOK':
      return <Webhook draft={draft} change={change} />;
    case 'CLIENT':
      return (
        <>
          <Arguments draft={draft} change={change} />
          <CheckField
            label="The persona waits for the result of the page"
            path="config.awaitResult"
            checked={draft.awaits}
            onChange={(awaits) => change({ awaits })}
          />
        </>
      );
    case 'SERVER_RAG':
      return <Groups chosen={draft.groupIds} groups={groups} onChange={(groupIds) => change({ groupIds })} />;
    case 'SYSTEM':
      return (
        <SelectField
          label="What it does"
          path="config.action"
          value={draft.action}
          onChange={(action) => change({ action })}
        >
          {Object.entries(ACTIONS).map(([action, name]) => (
            <option key={action} value={action}>
              {name}
            </option>
          ))}
        </SelectField>
      );
  }
}

interface PartProps {
  readonly draft: ToolDraft;
  readonly change: (part: Partial<ToolDraft>) => void;
}

function Webhook({ draft, change }: PartProps) {
  return (
    <>
      <div class="method-and-url">
        <SelectField label="Method" path="config.method" value={draft.method} onChange={(method) => change({ method })}>
          {METHODS.map((method) => (
            <option key={method}>{method}</option>
          ))}
        </SelectField>
        <TextField
          label="URL"
          path="config.url"
          required
          type="url"
          placeholder="https://shop.example.com/rooms"
          value={draft.url}
          onInput={(url) => change({ url })}
        />
      </div>
      <Arguments draft={draft} change={change} />
      <TextField
        label="Headers"
        path="config.headers"
        lines={2}
        placeholder="Authorization: Bearer …"
        hint="One a line. They are stored encrypted."
        value={draft.headers}
        onInput={(headers) => change({ headers })}
      />
      {draft.method !== 'GET' && (
        <TextField
          label="Body"
          path="config.bodyTemplate"
          lines={3}
          hint="Left empty: the arguments as JSON. A template may use {{argument}}, {{session_id}} and {{correlation_id}}."
          value={draft.bodyTemplate}
          onInput={(bodyTemplate) => change({ bodyTemplate })}
        />
      )}
      <CheckField
        label="The persona waits for the answer"
        path="config.awaitResponse"
        checked={draft.awaits}
        onChange={(awaits) => change({ awaits })}
      />
    </>
  );
}

function Arguments({ draft, change }: PartProps) {
  if (draft.parameters !== null)
    return <ParameterList value={draft.parameters} onChange={(parameters) => change({ parameters })} />;
  return (
    <TextField
      label="What the persona fills in"
      path="config.parameters"
      lines={10}
      hint="A JSON Schema. It says more than rows could show."
      value={draft.schemaText}
      onInput={(schemaText) => change({ schemaText })}
    />
  );
}

function Groups({
  chosen,
  groups,
  onChange,
}: {
  chosen: readonly string[];
  groups: readonly KnowledgeGroup[];
  onChange: (chosen: readonly string[]) => void;
}) {
  return (
    <GroupField label="Documents that it searches" path="config.documentFolderIds">
      {groups.length === 0 && (
        <p class="muted small">
          There are none yet. <a href="#/knowledge/new">Add knowledge</a> first.
        </p>
      )}
      <div class="checks">
        {groups.map(({ id, name }) => (
          <CheckField
            key={id}
            label={name}
            checked={chosen.includes(id)}
            onChange={(checked) => onChange(checked ? [...chosen, id] : chosen.filter((other) => other !== id))}
          />
        ))}
      </div>
    </GroupField>
  );
}
