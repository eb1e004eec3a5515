import { isDeepStrictEqual } from 'node:util';
import { type Api, CommandError } from './api.ts';
import { fileAt } from './import/import-knowledge.ts';
import { type HostedDocument, type HostedGroup, type HostedTool, listAll } from './import/hosted.ts';
import type { GroupFiles, StockFiles, ToolFile } from './stock-files.ts';

/** The tools and the knowledge of a persona, as the service has them and as files have them. */

/** In the place of a header's value, which is a secret more often than not: git is no place for it. */
const KEPT = '(as it is)';
/** In a file: a value of the environment, such as `Bearer ${SHOP_KEY}`. */
const OF_ENVIRONMENT = /\$\{(\w+)\}/g;

export interface Stock extends StockFiles {
  /** All of the organization. */
  readonly allTools: readonly HostedTool[];
  readonly allGroups: readonly HostedGroup[];
}

/** @param toolIds those of the persona. @param groupNames knowledge that is looked at besides what its tools search. */
export async function stockOf(
  api: Api,
  toolIds: readonly string[],
  groupNames: readonly string[] = [],
): Promise<Stock> {
  const allTools = await listAll<HostedTool>(api, '/v1/tools');
  const allGroups = await listAll<HostedGroup>(api, '/v1/knowledge/groups');
  // Those of the service itself are everywhere.
  const own = toolIds.flatMap((id) => allTools.find((tool) => tool.id === id && tool.type !== 'SYSTEM') ?? []);
  const searched = new Set(own.flatMap(folderIdsOf));
  const groups = allGroups.filter(({ id, name }) => searched.has(id) || groupNames.includes(name));
  return {
    allTools,
    allGroups,
    tools: own.map((tool) => fileOf(tool, allGroups)),
    groups: await Promise.all(groups.map((group) => filesOf(api, group))),
  };
}

export function namesOf(tools: readonly HostedTool[], ids: readonly string[]): string[] {
  return ids.flatMap((id) => tools.find((tool) => tool.id === id)?.name ?? []);
}

/** @throws CommandError for a tool that is neither a file nor of the organization. */
export function idsOf(tools: readonly HostedTool[], names: readonly string[]): string[] {
  return names.map((name) => {
    const found = tools.find((tool) => tool.name === name);
    if (found === undefined) throw new CommandError(`There is no tool "${name}".`);
    return found.id;
  });
}

function fileOf(
  { name, description, type, config, disableInterruptions = false }: HostedTool,
  groups: readonly HostedGroup[],
): ToolFile {
  const { documentFolderIds: ids, headers, ...rest } = config as Record<string, unknown>;
  const knowledge = Array.isArray(ids) ? groups.filter(({ id }) => ids.includes(id)).map((group) => group.name) : null;
  const masked = Object.keys((headers ?? {}) as object).map((header) => [header, KEPT]);
  return {
    name,
    description,
    type: type as ToolFile['type'],
    config: { ...rest, ...(masked.length > 0 && { headers: Object.fromEntries(masked) }) },
    disableInterruptions,
    ...(knowledge !== null && { knowledge }),
  };
}

/** @returns what the API is sent for a file. @param before the tool of this name. @throws CommandError */
export function toolOf(file: ToolFile, before: HostedTool | undefined, groups: readonly HostedGroup[]) {
  const { knowledge, config = {}, ...rest } = file;
  const headers = headersOf(file, before);
  const ids = knowledge?.map((name) => {
    const group = groups.find((one) => one.name === name);
    if (group === undefined) throw new CommandError(`The tool "${file.name}" searches "${name}", which is not there.`);
    return group.id;
  });
  return {
    ...rest,
    config: { ...config, ...(headers !== null && { headers }), ...(ids !== undefined && { documentFolderIds: ids }) },
  };
}

function headersOf({ name, config }: ToolFile, before: HostedTool | undefined): Record<string, string> | null {
  const written = config?.['headers'] as Readonly<Record<string, string>> | undefined;
  if (written === undefined) return null;
  const known = (before?.config['headers'] ?? {}) as Readonly<Record<string, string>>;
  const headers = Object.entries(written).map(([header, value]) => {
    if (value === KEPT && known[header] === undefined)
      throw new CommandError(
        `The tool "${name}" is new here: write its header ${header}, or \${NAME} for one of the environment.`,
      );
    return [header, value === KEPT ? known[header] : filledIn(value)];
  });
  return Object.fromEntries(headers) as Record<string, string>;
}

function filledIn(value: string): string {
  return value.replaceAll(OF_ENVIRONMENT, (_, variable: string) => {
    const found = process.env[variable];
    if (found === undefined) throw new CommandError(`${variable} is not set: a header of a tool needs it.`);
    return found;
  });
}

export function isSameTool(file: ToolFile, before: HostedTool, groups: readonly HostedGroup[]): boolean {
  const { type, description, config, disableInterruptions } = toolOf(file, before, groups);
  const kept = Object.fromEntries(Object.keys(config).map((field) => [field, before.config[field]]));
  return (
    type === before.type &&
    description === before.description &&
    disableInterruptions === (before.disableInterruptions ?? false) &&
    isDeepStrictEqual(kept, config)
  );
}

function folderIdsOf({ config }: HostedTool): readonly string[] {
  const ids = config['documentFolderIds'];
  return Array.isArray(ids) ? (ids as string[]) : [];
}

export const documentsOf = (api: Api, groupId: string): Promise<readonly HostedDocument[]> =>
  listAll<HostedDocument>(api, `/v1/knowledge/groups/${groupId}/documents`);

async function filesOf(api: Api, { id, name, description }: HostedGroup): Promise<GroupFiles> {
  const documents = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const document of await documentsOf(api, id)) {
    const path = `/v1/knowledge/documents/${document.id}/download`;
    const { downloadUrl } = await api.send<{ downloadUrl: string }>('GET', path);
    documents.set(document.filename, new Uint8Array(await (await fileAt(downloadUrl)).arrayBuffer()));
  }
  return { name, ...(description && { description }), documents };
}
