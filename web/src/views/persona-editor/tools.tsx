import { useEffect, useState } from 'preact/hooks';
import { type Attachable, AttachList } from '../../components/attach-list.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Shown } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';
import { type GroupDetails, listGroups } from '../knowledge/knowledge-api.ts';
import { listAllMcpServers, type McpServer } from '../mcp-servers/mcp-api.ts';
import { McpForm } from '../mcp-servers/mcp-form.tsx';
import { listAllTools, type ToolDetails } from '../tools/tool-api.ts';
import { KINDS } from '../tools/tool-draft.ts';
import { ToolForm } from '../tools/tool-form.tsx';
import { chosenKnowledge, groupOf, isSearch, knowledgeChoices } from './knowledge-choices.ts';
import { KnowledgeDialog } from './knowledge-dialog.tsx';
import type { SectionProps } from './section.ts';

interface Stock {
  /** Tools that the persona had when this was loaded: one of these that is not there was deleted. */
  readonly askedFor: readonly string[];
  readonly tools: readonly ToolDetails[];
  readonly groups: readonly GroupDetails[];
  readonly servers: readonly McpServer[];
}

/** What the persona can do besides talking, and what it knows. Each is attached by its name, or made here. */
export function ToolsSection(props: SectionProps) {
  const { draft } = props;
  const stock = useLoaded('tools of the organization', async (): Promise<Stock> => {
    const [tools, groups, servers] = await Promise.all([listAllTools(), listGroups(), listAllMcpServers()]);
    return { askedFor: draft.toolIds, tools, groups, servers };
  });
  return <Shown loaded={stock}>{(value) => <Lists {...props} stock={value} again={stock.again} />}</Shown>;
}

type Making = 'tool' | 'knowledge' | 'server' | null;

function Lists({ draft, set, stock, again }: SectionProps & { stock: Stock; again: () => void }) {
  const [tools, withTool] = useMade(stock.tools);
  const [groups, withGroup] = useMade(stock.groups);
  const [servers, withServer] = useMade(stock.servers);
  const [making, setMaking] = useState<Making>(null);
  // Saving makes tools of knowledge: they are in the draft before they are in the list.
  const known = new Set([...tools.map(({ id }) => id), ...stock.askedFor]);
  const isUnknown = draft.toolIds.some((id) => !known.has(id));
  useEffect(() => {
    if (isUnknown) again();
  }, [draft.toolIds.join()]);
  const searches = new Set(tools.filter(isSearch).map(({ id }) => id));
  const addGroup = ({ id, name }: GroupDetails): void => set({ knowledge: [...draft.knowledge, { id, name }] });
  const addTool = (id: string): void => set({ toolIds: [...draft.toolIds, id] });
  const removeTool = (id: string): void => set({ toolIds: draft.toolIds.filter((other) => other !== id) });
  const addServer = (id: string): void => set({ mcpServerIds: [...draft.mcpServerIds, id] });

  function close(): void {
    setMaking(null);
    again();
  }
  return (
    <>
      <Knowledge draft={draft} set={set} tools={tools} groups={groups} onMake={() => setMaking('knowledge')} />
      <AttachList
        title="Tools"
        text="What the persona can do: ask your server, act in your page, end the conversation."
        one="tool"
        path="toolIds"
        options={tools.filter((tool) => !isSearch(tool)).map(toolChoice)}
        attached={draft.toolIds.filter((id) => known.has(id) && !searches.has(id))}
        onAttach={addTool}
        onRemove={removeTool}
        onMake={() => setMaking('tool')}
      />
      <AttachList
        title="MCP servers"
        text="Servers of the Model Context Protocol, with all of their tools that you allow."
        one="server"
        path="mcpServerIds"
        options={servers.map(({ id, name, url }) => ({ id, title: name, text: url, href: `#/mcp-servers/${id}` }))}
        attached={draft.mcpServerIds}
        onAttach={addServer}
        onRemove={(id) => set({ mcpServerIds: draft.mcpServerIds.filter((other) => other !== id) })}
        onMake={() => setMaking('server')}
      />
      <Maker
        making={making}
        suggestion={draft.name}
        groups={groups}
        onKnowledge={(group) => addGroup(withGroup(group))}
        onTool={(tool) => addTool(withTool(tool).id)}
        onServer={(server) => addServer(withServer(server).id)}
        onClose={close}
      />
    </>
  );
}

/**
 * What was loaded, with what was made here since, and how to add that: a list that grew when it was loaded again moved away
 * under the pointer.
 */
function useMade<T extends { readonly id: string }>(loaded: readonly T[]): [readonly T[], (made: T) => T] {
  const [made, setMade] = useState<readonly T[]>([]);
  const add = (one: T): T => {
    setMade([...made, one]);
    return one;
  };
  return [[...loaded, ...made.filter(({ id }) => !loaded.some((other) => other.id === id))], add];
}

function toolChoice({ id, name, type, description }: ToolDetails): Attachable {
  return { id, title: name, text: `${KINDS[type].name}: ${description}`, href: `#/tools/${id}` };
}

function Knowledge({
  draft,
  set,
  tools,
  groups,
  onMake,
}: Pick<SectionProps, 'draft' | 'set'> & Pick<Stock, 'tools' | 'groups'> & { onMake: () => void }) {
  return (
    <AttachList
      title="Knowledge"
      text="Documents in which the persona looks answers up."
      one="knowledge group"
      options={knowledgeChoices(tools, groups)}
      attached={chosenKnowledge(draft.toolIds, tools, draft.knowledge)}
      onAttach={(choice) => {
        const group = groupOf(choice, groups);
        if (group === null) set({ toolIds: [...draft.toolIds, choice] });
        else set({ knowledge: [...draft.knowledge, { id: group.id, name: group.name }] });
      }}
      onRemove={(choice) => {
        const group = groupOf(choice, draft.knowledge);
        if (group === null) set({ toolIds: draft.toolIds.filter((id) => id !== choice) });
        else set({ knowledge: draft.knowledge.filter(({ id }) => id !== group.id) });
      }}
      onMake={onMake}
    />
  );
}

/** The window in which something is made that is attached then. */
function Maker(props: {
  making: Making;
  /** How a knowledge group might be called. */
  suggestion: string;
  groups: readonly GroupDetails[];
  onKnowledge: (group: GroupDetails) => void;
  onTool: (tool: ToolDetails) => void;
  onServer: (server: McpServer) => void;
  onClose: () => void;
}) {
  const { making, groups, onClose } = props;
  const then =
    <T,>(attach: (made: T) => void) =>
    (made: T) => {
      attach(made);
      onClose();
    };
  if (making === 'knowledge')
    return <KnowledgeDialog suggestion={props.suggestion} onMade={props.onKnowledge} onClose={onClose} />;
  if (making === 'tool')
    return (
      <Dialog title="New tool" onClose={onClose}>
        <ToolForm tool={null} groups={groups} cancel={onClose} onSaved={then(props.onTool)} />
      </Dialog>
    );
  if (making === 'server')
    return (
      <Dialog title="New MCP server" onClose={onClose}>
        <McpForm server={null} cancel={onClose} onSaved={then(props.onServer)} />
      </Dialog>
    );
  return null;
}
