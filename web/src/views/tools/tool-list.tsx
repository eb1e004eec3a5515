import { ListPage } from '../../components/list-page.tsx';
import type { Row } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';
import { listTools, type ToolDetails } from './tool-api.ts';
import { KINDS } from './tool-draft.ts';

export function ToolList() {
  const tools = useLoaded('tools', listTools);
  return (
    <ListPage
      title="Tools"
      text="What personas can do besides talking: ask your server, search documents, act in your page."
      icon="tool"
      make={{ label: 'New tool', href: '#/tools/new' }}
      loaded={tools}
      rows={({ data }) => data.map(rowOf)}
      empty="There are no tools yet. Make one, try it with its test button, and give it to a persona."
    />
  );
}

function rowOf(tool: ToolDetails): Row {
  return {
    id: tool.id,
    href: `#/tools/${tool.id}`,
    title: tool.name,
    text: tool.description,
    badges: [
      ...(tool.unreadable === true ? [{ text: 'Save it again', tone: 'bad' as const }] : []),
      { text: KINDS[tool.type].name },
      ...(tool.usageCount === 0
        ? []
        : [{ text: `${tool.usageCount} ${tool.usageCount === 1 ? 'persona' : 'personas'}` }]),
    ],
  };
}
