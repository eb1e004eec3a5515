import { parse } from 'node:path';
import type { ToolDefinition } from '../../../actors/session-config.ts';
import type { Store } from '../../store/open.ts';

/** Recognizers take 100 terms at most; names of the persona and its tools come before. */
const MAX_TITLES = 80;
/** Longer titles are sentences: nobody says them. */
const MAX_TITLE_LENGTH = 50;

/** @returns names of the groups and of the documents that these tools search, as people say them; groups first. */
export async function knowledgeTitles(
  { db }: Store,
  organizationId: string,
  tools: readonly ToolDefinition[],
): Promise<string[]> {
  const groupIds = [...new Set(tools.flatMap((tool) => (tool.kind === 'rag' ? tool.documentFolderIds : [])))];
  if (groupIds.length === 0) return [];
  const [groups, documents] = await Promise.all([
    db
      .selectFrom('knowledge_groups')
      .select('name')
      .where('organization_id', '=', organizationId)
      .where('id', 'in', groupIds)
      .limit(MAX_TITLES)
      .execute(),
    db
      .selectFrom('knowledge_documents')
      .select('filename')
      .where('organization_id', '=', organizationId)
      .where('group_id', 'in', groupIds)
      .where('status', '=', 'READY')
      .orderBy('created_at', 'desc')
      .limit(MAX_TITLES)
      .execute(),
  ]);
  const titles = [...groups.map(({ name }) => name), ...documents.map(({ filename }) => parse(filename).name)];
  return [...new Set(titles.map(asSaid))]
    .filter((title) => /\p{L}/u.test(title) && title.length <= MAX_TITLE_LENGTH)
    .slice(0, MAX_TITLES);
}

/** 'opening_hours-2026' → 'opening hours 2026'. */
function asSaid(title: string): string {
  return title
    .replaceAll(/[_\-.]+/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}
