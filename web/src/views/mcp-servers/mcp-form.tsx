import { useState } from 'preact/hooks';
import { DeleteDialog } from '../../components/delete-dialog.tsx';
import { SelectField, TextField } from '../../components/fields.tsx';
import { FormEnd, RequestForm } from '../../components/request-form.tsx';
import { useFormWork } from '../../state/form-work.ts';
import { createMcpServer, type McpServer, type McpTest, testMcpServer, updateMcpServer } from './mcp-api.ts';
import { draftOf, inputOf, type McpDraft } from './mcp-draft.ts';
import { OfferedTools } from './offered-tools.tsx';

interface McpFormProps {
  readonly server: McpServer | null;
  readonly cancel: string | (() => void);
  readonly onSaved: (server: McpServer) => void;
  readonly onDeleted?: () => void;
}

/** @param props.server null makes a new one. @param props.cancel where one goes without saving. */
export function McpForm({ server, cancel, onSaved, onDeleted }: McpFormProps) {
  // What was just created is changed from then on: the test needs it to be saved.
  const [saved, setSaved] = useState(server);
  const [draft, setDraft] = useState(() => draftOf(server));
  const [test, setTest] = useState<McpTest | null>(null);
  const [asksToDelete, setAsksToDelete] = useState(false);
  const form = useFormWork();
  const change = (part: Partial<McpDraft>): void => setDraft({ ...draft, ...part });

  async function save(): Promise<McpServer> {
    const input = inputOf(draft, saved);
    const now = await (saved === null ? createMcpServer(input) : updateMcpServer(saved.id, input));
    setSaved(now);
    return now;
  }
  return (
    <div class="columns">
      <RequestForm form={form} class="card padded stack" onSend={async () => onSaved(await save())}>
        <Fields draft={draft} stored={saved !== null && saved.auth.type === draft.authType} change={change} />
        <FormEnd
          form={form}
          save="Save"
          cancel={cancel}
          onDelete={saved === null ? undefined : () => setAsksToDelete(true)}
          check={{
            label: 'Save and list its tools',
            run: async () => setTest(await testMcpServer((await save()).id)),
          }}
        />
      </RequestForm>
      {asksToDelete && saved !== null && (
        <DeleteDialog
          name={saved.name}
          path={`/v1/mcp-servers/${saved.id}`}
          text="Personas lose its tools."
          onClose={() => setAsksToDelete(false)}
          onDeleted={() => onDeleted?.()}
        />
      )}
      {test !== null && saved !== null && (
        <OfferedTools
          serverId={saved.id}
          test={test}
          allowed={draft.allowedTools}
          onChange={(allowedTools) => change({ allowedTools })}
        />
      )}
    </div>
  );
}

interface FieldsProps {
  readonly draft: McpDraft;
  /** Whether the service has a secret for this way to sign in. */
  readonly stored: boolean;
  readonly change: (part: Partial<McpDraft>) => void;
}

function Fields({ draft, stored, change }: FieldsProps) {
  return (
    <>
      <TextField
        label="Name"
        path="name"
        required
        maxLength={64}
        placeholder="Shop"
        hint="The names of its tools begin with it."
        value={draft.name}
        onInput={(name) => change({ name })}
      />
      <TextField
        label="URL"
        path="url"
        required
        type="url"
        placeholder="https://shop.example.com/mcp"
        hint="Of its Streamable HTTP endpoint."
        value={draft.url}
        onInput={(url) => change({ url })}
      />
      <SignIn draft={draft} stored={stored} change={change} />
      <TextField
        label="Longest call, in seconds"
        path="timeoutSeconds"
        type="number"
        required
        value={draft.timeoutSeconds}
        onInput={(timeoutSeconds) => change({ timeoutSeconds })}
      />
    </>
  );
}

function SignIn({ draft, stored, change }: FieldsProps) {
  return (
    <>
      <SelectField
        label="How Parley signs in"
        path="auth.type"
        value={draft.authType}
        onChange={(authType) => change({ authType: authType as McpDraft['authType'] })}
      >
        <option value="none">Not at all</option>
        <option value="bearer">With a token</option>
        <option value="client_credentials">OAuth client credentials</option>
      </SelectField>
      {draft.authType === 'client_credentials' && (
        <>
          <TextField
            label="Client id"
            path="auth.clientId"
            required
            value={draft.clientId}
            onInput={(clientId) => change({ clientId })}
          />
          <TextField
            label="Authorization server"
            path="auth.issuer"
            type="url"
            required
            hint="The secret is sent to no other one."
            value={draft.issuer}
            onInput={(issuer) => change({ issuer })}
          />
          <TextField label="Scope" path="auth.scope" value={draft.scope} onInput={(scope) => change({ scope })} />
        </>
      )}
      {draft.authType !== 'none' && (
        <TextField
          label={draft.authType === 'bearer' ? 'Token' : 'Client secret'}
          path={draft.authType === 'bearer' ? 'auth.token' : 'auth.clientSecret'}
          type="password"
          required={!stored}
          placeholder={stored ? 'Unchanged' : ''}
          hint={stored ? 'To change how Parley signs in, enter it again.' : 'Stored encrypted, never shown.'}
          value={draft.secret}
          onInput={(secret) => change({ secret })}
        />
      )}
    </>
  );
}
