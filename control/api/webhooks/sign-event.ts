import { Webhook } from 'standardwebhooks';
import type { Vault } from '../../access/vault.ts';
import type { WebhookDeliveryRow, WebhookRow } from '../../store/webhook-tables.ts';
import type { EventBody } from './webhook-schema.ts';

/** The event as it is sent, the same text in each attempt. */
export function eventOf(row: WebhookDeliveryRow): EventBody {
  return {
    type: row.event_type,
    timestamp: row.created_at,
    data: {
      ...(row.session_id !== null && { sessionId: row.session_id }),
      ...(row.event_type !== 'webhook.test' && { personaId: row.persona_id }),
      ...JSON.parse(row.data_json),
    },
  };
}

/** Signs events of one webhook as Standard Webhooks says, with its secret and, for a while, with the one before. */
export interface EventSigner {
  /** @param now ms since the epoch. @returns the headers that receivers verify. */
  headers(eventId: string, body: string, now: number): Readonly<Record<string, string>>;
}

/** @throws VaultError when the secret cannot be opened. @param now ms since the epoch. */
export function eventSigner(vault: Vault, row: WebhookRow, now: number): EventSigner {
  const { previous_secret_cipher: previous, previous_secret_until: until } = row;
  const isPreviousValid =
    previous !== null && until !== null && Date.parse(until) > now && vault.opens(previous, row.id);
  const secrets = [row.secret_cipher, ...(isPreviousValid ? [previous] : [])];
  const signers = secrets.map((cipher) => new Webhook(vault.open(cipher, row.id)));
  return {
    headers(eventId, body, at) {
      const time = new Date(at);
      return {
        'webhook-id': eventId,
        'webhook-timestamp': String(Math.floor(at / 1000)),
        'webhook-signature': signers.map((signer) => signer.sign(eventId, time, body)).join(' '),
      };
    },
  };
}
