/** Where events are sent, and the outbox. The rules of `tables.ts` hold here, too. */

export interface WebhookRow {
  id: string;
  organization_id: string;
  url: string;
  description: string | null;
  /** Encrypted: what events are signed with. */
  secret_cipher: string;
  /** The secret before; events are signed with both until `previous_secret_until`. */
  previous_secret_cipher: string | null;
  previous_secret_until: string | null;
  event_types_json: string;
  /** Null: events of all personas. */
  persona_ids_json: string | null;
  enabled: number;
  /** Attempts in a row that failed, of whichever events. */
  failures_in_a_row: number;
  /** The first of them. */
  failing_since: string | null;
  /** Nothing is sent until then: its receiver is away. */
  rests_until: string | null;
  created_at: string;
  updated_at: string | null;
}

/** One event on its way to one webhook, or what became of it. */
export interface WebhookDeliveryRow {
  webhook_id: string;
  /** The same for each webhook and each attempt. */
  event_id: string;
  event_type: string;
  session_id: string | null;
  persona_id: string | null;
  /** Ids and facts, no content of conversations. */
  data_json: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  due_at: string;
  /** No attempt begins after it. */
  give_up_at: string;
  last_attempt_at: string | null;
  /** HTTP status of the last answer; null: there was none. */
  last_status: number | null;
  /** Why the last attempt failed: for people. */
  last_problem: string | null;
  last_duration_ms: number | null;
  created_at: string;
}
