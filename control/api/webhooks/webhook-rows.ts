import { randomBytes } from 'node:crypto';
import type { Vault } from '../../access/vault.ts';
import { HttpError } from '../../errors/http-error.ts';
import type { Store } from '../../store/open.ts';
import type { WebhookRow } from '../../store/webhook-tables.ts';
import { webhookErrors } from './webhook-errors.ts';
import type { WebhookResponse } from './webhook-schema.ts';

/** Standard Webhooks allows 24 to 64. */
const SECRET_BYTES = 32;

/** A new secret as receivers get it. */
export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** As clients see it: without the secret. */
export function webhookOf(vault: Vault, row: WebhookRow, pendingCount: number): WebhookResponse {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    eventTypes: JSON.parse(row.event_types_json),
    personaIds: row.persona_ids_json === null ? null : JSON.parse(row.persona_ids_json),
    enabled: row.enabled === 1,
    failingSince: row.failing_since,
    pendingCount,
    ...(!vault.opens(row.secret_cipher, row.id) && { unreadable: true as const }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** @throws HttpError 404 */
export async function findWebhook({ db }: Store, organizationId: string, id: string): Promise<WebhookRow> {
  const row = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (row === undefined) throw new HttpError(webhookErrors.webhookNotFound);
  return row;
}

/** @returns how many events wait for each of these webhooks. */
export async function pendingCounts({ db }: Store, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const counts = await db
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => ['webhook_id', fn.countAll<number>().as('count')])
    .where('webhook_id', 'in', ids)
    .where('status', '=', 'pending')
    .groupBy('webhook_id')
    .execute();
  return new Map(counts.map(({ webhook_id: id, count }) => [id, Number(count)]));
}
