import { Icon } from '../../components/icon.tsx';
import { PageHead, Rows, Shown } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';
import { listMcpServers } from './mcp-api.ts';

export function McpList() {
  const servers = useLoaded('mcp servers', listMcpServers);
  return (
    <main class="page">
      <PageHead title="MCP servers" text="Servers of the Model Context Protocol, whose tools personas can use.">
        <a class="button primary" href="#/mcp-servers/new">
          <Icon name="plus" />
          New server
        </a>
      </PageHead>
      <Shown loaded={servers}>
        {({ data }) => (
          <Rows
            rows={data.map(({ id, name, url, unreadable }) => ({
              id,
              href: `#/mcp-servers/${id}`,
              title: name,
              text: url,
              badges: unreadable === true ? [{ text: 'Sign in again', tone: 'bad' }] : [],
            }))}
            icon="plug"
            empty="There are no MCP servers yet. Add one, and see which tools it offers."
          />
        )}
      </Shown>
    </main>
  );
}
