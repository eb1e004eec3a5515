import { BackLink, PageHead, Shown } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';
import { go } from '../../state/route.ts';
import { getMcpServer } from './mcp-api.ts';
import { McpForm } from './mcp-form.tsx';

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
            <McpForm
              server={server}
              cancel="#/mcp-servers"
              onSaved={() => go('#/mcp-servers')}
              onDeleted={() => go('#/mcp-servers')}
            />
          </>
        )}
      </Shown>
    </main>
  );
}
