import { useState } from 'preact/hooks';
import { SelectField, TextField } from '../../components/fields.tsx';
import { BackLink, FormEnd, PageHead, Shown } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';
import { go } from '../../state/route.ts';
import { useWork } from '../../state/work.ts';
import {
  createMcpServer,
  deleteMcpServer,
  getMcpServer,
  type McpServer,
  type McpTest,
  testMcpServer,
  updateMcpServer,
} from './mcp-api.ts';
import { draftOf, inputOf, type McpDraft } from './mcp-draft.ts';
import { OfferedTools } from './offered-tools.tsx';

/** @param id null makes a new one. */
export function McpEditor({ id }: { id: string | null }) {
  const loaded = useLoaded(id ?? 'new', async () => (id === null ? null : getMcpServer(id)));
  return (
    <main class="page">
      <BackLink href="#/mcp-servers">All MCP servers</BackLink>
      <Shown loaded={loaded}>
        {(server) => (
          <>
            <PageHead title={server?.name ?? 'New MCP server'} text="Its tools are given to personas that use it." />
            <Form server={server} />
          </>
        )}
      </Shown>
    </main>
  );
}

function Form({ server }: { server: McpServer | null }) {
  // What was just created is changed from then on: the test needs it to be saved.
  const [saved, setSaved] = useState(server);
  const [draft, setDraft] = useState(() => draftOf(server));
  const [test, setTest] = useState<McpTest | null>(null);
  const { work, run } = useWork();
  const change = (part: Partial<McpDraft>): void => setDraft({ ...draft, ...part });

  async function save(): Promise<string> {
    const input = inputOf(draft, saved);
    const now = await (saved === null ? createMcpServer(input) : updateMcpServer(saved.id, input));
    setSaved(now);
    return now.id;
  }
  function onSubmit(event: Event): void {
    event.preventDefault();
    void run(async () => {
      await save();
      go('#/mcp-servers');
    });
  }
  function onDelete(): void {
    if (saved !== null && confirm(`Delete ${saved.name}? Personas lose its tools.`))
      void run(async () => {
        await deleteMcpServer(saved.id);
        go('#/mcp-servers');
      });
  }
  return (
    <div class="columns">
      <form class="card padded stack" onSubmit={onSubmit}>
        <TextField
          label="Name"
          required
          maxLength={64}
          placeholder="Shop"
          hint="The names of its tools begin with it."
          value={draft.name}
          onInput={(name) => change({ name })}
        />
        <TextField
          label="URL"
          required
          type="url"
          placeholder="https://shop.example.com/mcp"
          hint="Of its Streamable HTTP endpoint."
          value={draft.url}
          onInput={(url) => change({ url })}
        />
        <SignIn draft={draft} stored={saved !== null && saved.auth.type === draft.authType} change={change} />
        <TextField
          label="Longest call, in seconds"
          type="number"
          required
          value={draft.timeoutSeconds}
          onInput={(timeoutSeconds) => change({ timeoutSeconds })}
        />
        <FormEnd
          work={work}
          save="Save"
          cancel="#/mcp-servers"
          onDelete={saved === null ? undefined : onDelete}
          check={{
            label: 'Save and list its tools',
            run: () => void run(async () => setTest(await testMcpServer(await save()))),
          }}
        />
      </form>
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

function SignIn({
  draft,
  stored,
  change,
}: {
  draft: McpDraft;
  stored: boolean;
  change: (part: Partial<McpDraft>) => void;
}) {
  return (
    <>
      <SelectField
        label="How Parley signs in"
        value={draft.authType}
        onChange={(authType) => change({ authType: authType as McpDraft['authType'] })}
      >
        <option value="none">Not at all</option>
        <option value="bearer">With a token</option>
        <option value="client_credentials">OAuth client credentials</option>
      </SelectField>
      {draft.authType === 'client_credentials' && (
        <>
          <TextField label="Client id" required value={draft.clientId} onInput={(clientId) => change({ clientId })} />
          <TextField
            label="Authorization server"
            type="url"
            required
            hint="The secret is sent to no other one."
            value={draft.issuer}
            onInput={(issuer) => change({ issuer })}
          />
          <TextField label="Scope" value={draft.scope} onInput={(scope) => change({ scope })} />
        </>
      )}
      {draft.authType !== 'none' && (
        <TextField
          label={draft.authType === 'bearer' ? 'Token' : 'Client secret'}
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
