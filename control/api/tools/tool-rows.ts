import type { ToolDefinition } from '../../../actors/session-config.ts';
import type { Vault } from '../../access/vault.ts';
import { HttpError } from '../../errors/http-error.ts';
import type { Store } from '../../store/open.ts';
import { prepared } from '../../store/prepared.ts';
import type { ToolRow } from '../../store/tables.ts';
import { CLIENT_TOOL_TIMEOUT_SECONDS, QUERY_ARGUMENT } from './inline-tools.ts';
import { toolErrors } from './tool-errors.ts';
import { isSystemAction, SYSTEM_TOOLS } from '../../../actors/tools/system-tools.ts';
import type { ClientConfig, RagConfig, SystemConfig, ToolConfig, ToolResponse, WebhookConfig } from './tool-schema.ts';
import { ANY_ARGUMENTS, webhookArguments } from './webhook-arguments.ts';

/** @returns null if it cannot be decrypted: one such tool must not make the whole list fail. */
export function readConfig(vault: Vault, row: ToolRow): ToolConfig | null {
  return vault.opens(row.config_cipher, row.id)
    ? (JSON.parse(vault.open(row.config_cipher, row.id)) as ToolConfig)
    : null;
}

/** @throws HttpError 409 if it cannot be decrypted. */
export function usableConfig(vault: Vault, row: ToolRow): ToolConfig {
  const config = readConfig(vault, row);
  if (config !== null) return config;
  throw new HttpError('unreadableSecret', {
    message: `The configuration of the tool ${row.id} cannot be opened: the master key has changed, or it is damaged. Save its config again.`,
  });
}

export function toolOf(vault: Vault, row: ToolRow, usageCount: number): ToolResponse {
  const config = readConfig(vault, row);
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    type: row.type,
    config: { ...config },
    ...(config === null && { unreadable: true }),
    disableInterruptions: row.disable_interruptions === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    usageCount,
  };
}

/** How many personas use each of these tools. */
export async function usageCounts(store: Store, toolIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (toolIds.length === 0) return new Map();
  const rows = await store.db
    .selectFrom('persona_tools')
    .select((eb) => ['tool_id', eb.fn.countAll<number>().as('count')])
    .where('tool_id', 'in', [...toolIds])
    .groupBy('tool_id')
    .execute();
  return new Map(rows.map((row) => [row.tool_id, Number(row.count)]));
}

const attachedTools = prepared<{ personaId: string }, ToolRow>((db, value) =>
  db
    .selectFrom('persona_tools')
    .innerJoin('tools', 'tools.id', 'persona_tools.tool_id')
    .selectAll('tools')
    .where('persona_tools.persona_id', '=', value('personaId'))
    .where('tools.deleted_at', 'is', null)
    .orderBy('persona_tools.position'),
);

/** The tools of a persona in the order in which they were attached. */
export async function toolsOfPersona(store: Store, personaId: string): Promise<ToolRow[]> {
  return store.find(attachedTools(store, { personaId }));
}

/** A saved tool as a session runs it. @throws HttpError as `usableConfig` does. */
export function savedDefinition(vault: Vault, row: ToolRow): ToolDefinition {
  const config = usableConfig(vault, row);
  const base = { name: row.name, description: row.description, disableInterruptions: row.disable_interruptions === 1 };
  switch (row.type) {
    case 'CLIENT': {
      const { parameters, awaitResult, toolTimeoutSeconds } = config as ClientConfig;
      return {
        ...base,
        kind: 'client',
        parameters: parameters ?? ANY_ARGUMENTS,
        awaitResult: awaitResult ?? false,
        toolTimeoutSeconds: toolTimeoutSeconds ?? CLIENT_TOOL_TIMEOUT_SECONDS,
      };
    }
    case 'SERVER_RAG': {
      const { documentFolderIds, parameters } = config as RagConfig;
      return { ...base, kind: 'rag', parameters: parameters ?? QUERY_ARGUMENT, documentFolderIds };
    }
    case 'SERVER_WEBHOOK': {
      const webhook = config as WebhookConfig;
      return {
        ...base,
        kind: 'webhook',
        parameters: webhookArguments(webhook.parameters, webhook.queryParameters),
        url: webhook.url,
        method: webhook.method,
        headers: webhook.headers ?? {},
        bodyTemplate: webhook.bodyTemplate ?? null,
        queryParameters: webhook.queryParameters ?? null,
        awaitResponse: webhook.awaitResponse ?? true,
      };
    }
    case 'SYSTEM': {
      const { action } = config as SystemConfig;
      const named = action ?? row.name;
      if (!isSystemAction(named)) throw new Error(`Tool ${row.id} names no system action`);
      return { ...base, kind: 'system', action: named, parameters: SYSTEM_TOOLS[named].parameters };
    }
  }
}

/** @throws HttpError 404. */
export async function findTool(
  { store }: { readonly store: Store },
  organizationId: string,
  id: string,
): Promise<ToolRow> {
  const row = await store.db
    .selectFrom('tools')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) throw new HttpError(toolErrors.toolNotFound);
  return row;
}
