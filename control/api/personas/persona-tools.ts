import { invalid } from '../../errors/http-error.ts';
import type { Store } from '../../store/open.ts';
import type { References } from '../../catalogue/references.ts';

/** What is taken of the service here. */
interface PersonaToolsParts {
  readonly store: Store;
  readonly references: References;
}

/** @throws HttpError 400 naming the ids that are no tools of this organization. */
export async function checkTools(
  { references }: Pick<PersonaToolsParts, 'references'>,
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

/** @throws HttpError 400 naming the ids that are no MCP servers of this organization. */
export async function checkMcpServers(
  { references }: Pick<PersonaToolsParts, 'references'>,
  organizationId: string,
  ids: readonly string[],
  path: string,
): Promise<void> {
  const found = new Set((await references.mcpServers(organizationId, ids)).map((server) => server.id));
  const unknown = ids.map((id, index) => ({ id, index })).filter(({ id }) => !found.has(id));
  const problems = await Promise.all(
    unknown.map(({ id, index }) => references.explain(organizationId, `${path}.${index}`, 'MCP server', id)),
  );
  if (problems.length > 0) throw invalid(problems);
}

/** Statements that attach MCP servers to a persona in this order, in place of those it has. */
export function mcpAttachments(
  { store }: Pick<PersonaToolsParts, 'store'>,
  personaId: string,
  ids: readonly string[] | undefined,
) {
  if (ids === undefined) return [];
  return [
    store.db.deleteFrom('persona_mcp_servers').where('persona_id', '=', personaId),
    ...[...new Set(ids)].map((id, position) =>
      store.db.insertInto('persona_mcp_servers').values({ persona_id: personaId, mcp_server_id: id, position }),
    ),
  ];
}

/** Statements that attach tools to a persona in this order. */
export function attachments(
  { store }: Pick<PersonaToolsParts, 'store'>,
  personaId: string,
  toolIds: readonly string[],
) {
  return toolIds.map((toolId, position) =>
    store.db.insertInto('persona_tools').values({ persona_id: personaId, tool_id: toolId, position }),
  );
}
