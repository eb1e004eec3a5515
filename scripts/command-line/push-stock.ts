import type { Api } from './api.ts';
import type { HostedGroup, HostedTool } from './import/hosted.ts';
import { documentsOf, isSameTool, type Stock, toolOf } from './stock.ts';
import type { GroupFiles, StockFiles } from './stock-files.ts';

/** @returns a line for each tool and document that a push would change. */
export function stockDifferences(there: Stock, files: StockFiles): string[] {
  const groups = files.groups.map((group): HostedGroup => ({ id: group.name, name: group.name }));
  const known = [...there.allGroups, ...groups.filter(({ name }) => !there.allGroups.some((one) => one.name === name))];
  return [
    ...files.tools.flatMap((tool) => {
      const before = toolNamed(there, tool.name);
      if (before === undefined) return [`+ tool: ${tool.name}`];
      return isSameTool(tool, before, known) ? [] : [`~ tool: ${tool.name}`];
    }),
    ...files.groups.flatMap((group) =>
      documentDifferences(there, group).map(({ how, name }) => `${how} document: ${group.name}/${name}`),
    ),
  ];
}

interface DocumentDifference {
  readonly how: '+' | '~' | '-';
  readonly name: string;
}

function documentDifferences(there: Stock, { name: group, documents }: GroupFiles): DocumentDifference[] {
  const before = there.groups.find(({ name }) => name === group)?.documents ?? new Map<string, Uint8Array>();
  const changed = [...documents].flatMap(([name, bytes]): DocumentDifference[] => {
    const known = before.get(name);
    if (known === undefined) return [{ how: '+', name }];
    return Buffer.compare(known, bytes) === 0 ? [] : [{ how: '~', name }];
  });
  const gone = [...before.keys()].filter((name) => !documents.has(name));
  return [...changed, ...gone.map((name) => ({ how: '-' as const, name }))];
}

/** Makes tools and knowledge what the files have. @returns all tools of the organization then. */
export async function pushStock(api: Api, there: Stock, files: StockFiles): Promise<readonly HostedTool[]> {
  const groups = [...there.allGroups];
  for (const group of files.groups) {
    const { name, description } = group;
    const known = groups.find((one) => one.name === name);
    const { id } = known ?? (await api.send<HostedGroup>('POST', '/v1/knowledge/groups', { name, description }));
    if (known === undefined) groups.push({ id, name });
    await pushDocuments(api, there, group, id);
  }
  const tools = [...there.allTools];
  for (const file of files.tools) {
    const before = toolNamed(there, file.name);
    if (before !== undefined && isSameTool(file, before, groups)) continue;
    const body = toolOf(file, before, groups);
    if (before === undefined) tools.push(await api.send<HostedTool>('POST', '/v1/tools', body));
    else await api.send('PUT', `/v1/tools/${before.id}`, body);
  }
  return tools;
}

async function pushDocuments(api: Api, there: Stock, group: GroupFiles, id: string): Promise<void> {
  const differences = documentDifferences(there, group);
  if (differences.length === 0) return;
  const known = await documentsOf(api, id);
  for (const { how, name } of differences) {
    if (how !== '-') {
      const form = new FormData();
      form.set('file', new Blob([group.documents.get(name)!]), name);
      await api.send('POST', `/v1/knowledge/groups/${id}/documents`, form);
    }
    // The one before goes when the new one is there.
    for (const old of known)
      if (how !== '+' && old.filename === name) await api.send('DELETE', `/v1/knowledge/documents/${old.id}`);
  }
}

function toolNamed({ allTools }: Stock, name: string): HostedTool | undefined {
  return allTools.find((tool) => tool.name === name && tool.type !== 'SYSTEM');
}
