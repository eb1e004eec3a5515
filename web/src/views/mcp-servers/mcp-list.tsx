import { ListPage } from '../../components/list-page.tsx';
import { useLoaded } from '../../state/load.ts';
import { listMcpServers } from './mcp-api.ts';

export function McpList() {
  const servers = useLoaded('mcp servers', listMcpServers);
  return (
    <ListPage
      title="MCP servers"
      text="Servers of the Model Context Protocol, whose tools personas can use."
      icon="plug"
      make={{ label: 'New server', href: '#/mcp-servers/new' }}
      loaded={servers}
      rows={({ data }) =>
        data.map(({ id, name, url, unreadable }) => ({
          id,
          href: `#/mcp-servers/${id}`,
          title: name,
          text: url,
          badges: unreadable === true ? [{ text: 'Sign in again', tone: 'bad' }] : [],
        }))
      }
      empty="There are no MCP servers yet. Add one, and see which tools it offers."
    />
  );
}
