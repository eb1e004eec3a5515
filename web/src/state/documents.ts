import {
  addDocument,
  createKnowledgeGroup,
  createTool,
  deleteDocument,
  deleteKnowledgeGroup,
  getDocument,
} from '../api/routes.ts';
import type { KnowledgeDocument, Persona, Tool } from '../api/types.ts';

/** The changes in the form to the documents of a persona. */
export interface DocumentChanges {
  readonly added: readonly File[];
  readonly removed: readonly KnowledgeDocument[];
}

export const NO_CHANGES: DocumentChanges = { added: [], removed: [] };

/** How long to wait until the documents are read; large ones continue in the background. */
const READ_WITHIN_MS = 60_000;
const ASK_EVERY_MS = 300;

/**
 * Brings the documents of a persona up to date: its first ones get a group and a tool that searches it.
 * @returns the tools that the persona should have, or undefined when they stay as they are.
 * @throws ApiError, or Error when a document cannot be read.
 */
export async function saveDocuments(
  name: string,
  persona: Persona | null,
  { added, removed }: DocumentChanges,
): Promise<readonly string[] | undefined> {
  for (const document of removed) await deleteDocument(document.id);
  if (added.length === 0) return undefined;
  const known = persona?.knowledge?.[0];
  const group = known ?? (await createKnowledgeGroup(name));
  const uploaded: KnowledgeDocument[] = [];
  try {
    for (const file of added) uploaded.push(await addDocument(group.id, file));
    for (const document of uploaded) await read(document);
  } catch (error) {
    // Everything is undone: the form can be sent again.
    await Promise.allSettled(
      known === undefined ? [deleteKnowledgeGroup(group.id)] : uploaded.map(({ id }) => deleteDocument(id)),
    );
    throw error;
  }
  if (known !== undefined) return undefined;
  const tools = persona?.tools ?? [];
  const tool = await createTool({
    name: freeName(tools),
    description:
      `Information from the documents of ${name}: ${added.map((file) => file.name).join(', ')}. Ask it whenever the user wants to know something.`.slice(
        0,
        1024,
      ),
    type: 'SERVER_RAG',
    config: { documentFolderIds: [group.id] },
  });
  return [...tools.map(({ id }) => id), tool.id];
}

function freeName(tools: readonly Tool[]): string {
  const taken = new Set(tools.map(({ name }) => name));
  let name = 'knowledge';
  for (let next = 2; taken.has(name); next++) name = `knowledge_${next}`;
  return name;
}

/** A conversation that begins at once already knows it. */
async function read(document: KnowledgeDocument): Promise<void> {
  const until = performance.now() + READ_WITHIN_MS;
  for (let now = document; performance.now() < until; now = await getDocument(document.id)) {
    if (now.status === 'READY') return;
    if (now.status === 'FAILED') throw new Error(`${document.filename} could not be read.`);
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
}
