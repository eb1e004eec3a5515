import type { Control } from '../context.ts';
import { invalid } from '../errors.ts';

/** @throws HttpError 400 naming the ids that are no tools of this organization. */
export async function checkTools(
  { references }: Control,
  organizationId: string,
  toolIds: readonly string[],
  path: string,
): Promise<void> {
  const found = new Set((await references.tools(organizationId, toolIds)).map((tool) => tool.id));
  const unknown = toolIds.map((id, index) => ({ id, index })).filter(({ id }) => !found.has(id));
  const problems = await Promise.all(
    unknown.map(({ id, index }) => references.explain(organizationId, `${path}.${index}`, 'tool', id)),
  );
  if (problems.length > 0) throw invalid(problems);
}

/** Statements that attach tools to a persona in this order. */
export function attachments({ store }: Control, personaId: string, toolIds: readonly string[]) {
  return toolIds.map((toolId, position) =>
    store.db.insertInto('persona_tools').values({ persona_id: personaId, tool_id: toolId, position }),
  );
}
