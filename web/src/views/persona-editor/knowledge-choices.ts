import type { Attachable } from '../../components/attach-list.tsx';
import type { KnowledgeGroup, Tool } from '../../api/types.ts';

type Group = KnowledgeGroup & { readonly documentCount: number };

/** The id of a choice for knowledge that no tool searches yet. */
const groupChoice = (id: string): string => `group ${id}`;

/**
 * Knowledge as people think of it: by its name, not by the tool that searches it. A tool stands for the knowledge that
 * it searches; knowledge without such a tool stands for itself.
 */
export function knowledgeChoices(tools: readonly Tool[], groups: readonly Group[]): readonly Attachable[] {
  const names = new Map(groups.map(({ id, name }) => [id, name]));
  const searched = new Set<string>();
  const byTool = tools.filter(isSearch).map((tool): Attachable => {
    const ids = groupIdsOf(tool);
    if (ids.length === 1) searched.add(ids[0]!);
    return {
      id: tool.id,
      title: ids.flatMap((id) => names.get(id) ?? []).join(', ') || tool.name,
      text: `Looked up by the tool ${tool.name}`,
      href: ids.length === 1 ? `#/knowledge/${ids[0]}` : `#/tools/${tool.id}`,
    };
  });
  const others = groups
    .filter(({ id }) => !searched.has(id))
    .map(({ id, name, documentCount }): Attachable => ({
      id: groupChoice(id),
      title: name,
      text: `${documentCount} ${documentCount === 1 ? 'document' : 'documents'}`,
      href: `#/knowledge/${id}`,
    }));
  return [...byTool, ...others];
}

export const isSearch = ({ type }: Tool): boolean => type === 'SERVER_RAG';

/** @returns the choices that a persona has. */
export function chosenKnowledge(
  toolIds: readonly string[],
  tools: readonly Tool[],
  knowledge: readonly KnowledgeGroup[],
): readonly string[] {
  const searches = new Set(tools.filter(isSearch).map(({ id }) => id));
  return [...toolIds.filter((id) => searches.has(id)), ...knowledge.map(({ id }) => groupChoice(id))];
}

/** @returns the group that a choice stands for, or null if it stands for a tool. */
export function groupOf<T extends KnowledgeGroup>(choice: string, groups: readonly T[]): T | null {
  return groups.find(({ id }) => groupChoice(id) === choice) ?? null;
}

function groupIdsOf({ config }: Tool): readonly string[] {
  const ids = config['documentFolderIds'];
  return Array.isArray(ids) ? (ids as string[]) : [];
}
