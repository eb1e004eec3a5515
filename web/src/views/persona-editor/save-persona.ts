import { createPersona } from '../../api/routes.ts';
import type { KnowledgeGroup, Persona } from '../../api/types.ts';
import { listDocuments } from '../knowledge/knowledge-api.ts';
import { saveDraft, type StoredDraft } from './draft-api.ts';
import { createTool, listAllTools } from '../tools/tool-api.ts';
import { type Changes, inputOf, type PersonaDraft } from './persona-draft.ts';
import { toolName } from './tool-name.ts';

/** Longest description of a tool that the API takes. */
const MAX_DESCRIPTION_LENGTH = 1024;

export type Saved =
  | { readonly kind: 'created'; readonly persona: Persona }
  | { readonly kind: 'draft'; readonly draft: StoredDraft };

/**
 * Creates a persona, or saves the draft of one.
 * @param onTools called as soon as the new knowledge has its tools: they are not made again if what follows fails.
 * @throws ApiError
 */
export async function savePersona(
  id: string | null,
  draft: PersonaDraft,
  changes: Changes,
  onTools: (made: Changes) => void,
): Promise<Saved> {
  let whole = draft;
  let part = changes;
  if (draft.knowledge.length > 0) {
    const made = await searchTools(draft.knowledge);
    const change: Changes = { toolIds: [...draft.toolIds, ...made], knowledge: [] };
    onTools(change);
    whole = { ...draft, ...change };
    part = { ...changes, ...change };
  }
  return id === null
    ? { kind: 'created', persona: await createPersona(inputOf(whole, whole)) }
    : { kind: 'draft', draft: await saveDraft(id, inputOf(whole, part)) };
}

/** Makes a tool for each group. @returns their ids. */
async function searchTools(groups: readonly KnowledgeGroup[]): Promise<readonly string[]> {
  const taken = new Set((await listAllTools()).map(({ name }) => name));
  const ids: string[] = [];
  for (const group of groups) {
    const name = toolName(group.name, taken);
    taken.add(name);
    const files = (await listDocuments(group.id)).map(({ filename }) => filename).join(', ');
    const tool = await createTool({
      name,
      description:
        `Information from ${group.name}${files === '' ? '' : ` (${files})`}. Ask it whenever the user wants to know something.`.slice(
          0,
          MAX_DESCRIPTION_LENGTH,
        ),
      type: 'SERVER_RAG',
      config: { documentFolderIds: [group.id] },
      disableInterruptions: false,
    });
    ids.push(tool.id);
  }
  return ids;
}
