import type { McpAuth, McpServer } from '../../../actors/session-config.ts';
import type { Vault } from '../../access/vault.ts';
import { HttpError } from '../../errors/http-error.ts';
import type { Store } from '../../store/open.ts';
import { prepared } from '../../store/prepared.ts';
import type { McpServerRow } from '../../store/tables.ts';
import { mcpServerErrors } from './mcp-server-errors.ts';
import type { McpServerResponse } from './mcp-server-schema.ts';

/** Encrypted for this server. */
export function closedAuth(vault: Vault, id: string, auth: McpAuth): string {
  return vault.close(JSON.stringify(auth), id);
}

/** As clients see it: without secrets. */
export function mcpServerOf(vault: Vault, row: McpServerRow): McpServerResponse {
  const readable = vault.opens(row.auth_cipher, row.id);
  const auth = readable ? authOf(vault, row) : ({ type: 'none' } as const);
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    auth:
      auth.type === 'client_credentials'
        ? { type: auth.type, clientId: auth.clientId, issuer: auth.issuer, ...(auth.scope && { scope: auth.scope }) }
        : { type: auth.type },
    allowedTools: allowedToolsOf(row),
    timeoutSeconds: row.timeout_seconds,
    ...(!readable && { unreadable: true }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** As the engine calls it: with secrets in the clear. @throws HttpError 409 when they cannot be opened. */
export function usableMcpServer(vault: Vault, row: McpServerRow): McpServer {
  if (!vault.opens(row.auth_cipher, row.id))
    throw new HttpError('unreadableSecret', {
      message: `The credentials of the MCP server ${row.id} cannot be opened: the master key has changed, or they are damaged. Save its auth again.`,
    });
  const { id, name, url } = row;
  return { id, name, url, auth: authOf(vault, row), timeoutSeconds: row.timeout_seconds };
}

/** @throws HttpError 404 */
export async function findMcpServer({ db }: Store, organizationId: string, id: string): Promise<McpServerRow> {
  const row = await db
    .selectFrom('mcp_servers')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (row === undefined) throw new HttpError(mcpServerErrors.mcpServerNotFound);
  return row;
}

/** Of any organization. */
export async function hasMcpServers({ db }: Store): Promise<boolean> {
  return (await db.selectFrom('mcp_servers').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Null: all tools. */
export function allowedToolsOf(row: McpServerRow): string[] | null {
  return row.allowed_tools_json === null ? null : (JSON.parse(row.allowed_tools_json) as string[]);
}

export function allowedToolsJson(names: readonly string[] | null): string | null {
  return names === null ? null : JSON.stringify(names);
}

const attached = prepared<{ personaId: string }, McpServerRow>((db, value) =>
  db
    .selectFrom('persona_mcp_servers')
    .innerJoin('mcp_servers', 'mcp_servers.id', 'persona_mcp_servers.mcp_server_id')
    .selectAll('mcp_servers')
    .where('persona_mcp_servers.persona_id', '=', value('personaId'))
    .orderBy('persona_mcp_servers.position'),
);

/** The MCP servers of a persona in the order in which they were attached. */
export async function mcpServersOfPersona(store: Store, personaId: string): Promise<McpServerRow[]> {
  return store.find(attached(store, { personaId }));
}

function authOf(vault: Vault, row: McpServerRow): McpAuth {
  return JSON.parse(vault.open(row.auth_cipher, row.id)) as McpAuth;
}
