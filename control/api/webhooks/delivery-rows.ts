import type { Compilable } from 'kysely';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import type { EventAnswer } from '../../ports.ts';
import type { Store } from '../../store/open.ts';
import type { WebhookDeliveryRow, WebhookRow } from '../../store/webhook-tables.ts';
import { retryDelayAfter, cooldownAfter } from './retry-schedule.ts';

/** Why an event was given up that could not be sent in time. */
const TOO_LATE = 'It could not be sent within a day.';

/** One attempt, and what came of it. Times in ms since the epoch. */
export interface Attempt {
  readonly row: WebhookDeliveryRow;
  readonly answer: EventAnswer;
  readonly at: number;
  readonly endedAt: number;
}

/**
 * The outbox as its sender sees it. A delivery is pending → delivered | failed; one that is sent once more is pending
 * again.
 */
export class DeliveryRows {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** @returns ids of the webhooks that something can be sent to. @param now ms since the epoch. */
  async due(now: number): Promise<string[]> {
    const rows = await this.#store.db
      .selectFrom('webhooks')
      .select('webhooks.id')
      .where('webhooks.enabled', '=', 1)
      .where((eb) => eb.or([eb('rests_until', 'is', null), eb('rests_until', '<=', isoTime(now))]))
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('webhook_deliveries')
            .select('event_id')
            .whereRef('webhook_deliveries.webhook_id', '=', 'webhooks.id')
            .where('webhook_deliveries.status', '=', 'pending')
            .where('webhook_deliveries.due_at', '<=', isoTime(now)),
        ),
      )
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Null: it is gone, not enabled, or rests. */
  async open(webhookId: string, now: number): Promise<WebhookRow | null> {
    const row = await this.#store.db
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', webhookId)
      .where('enabled', '=', 1)
      .executeTakeFirst();
    const rests = row?.rests_until != null && row.rests_until > isoTime(now);
    return row === undefined || rests ? null : row;
  }

  async giveUpLate(webhookId: string, now: number): Promise<void> {
    await this.#store.db
      .updateTable('webhook_deliveries')
      .set((eb) => ({ status: 'failed', last_problem: eb.fn.coalesce('last_problem', eb.val(TOO_LATE)) }))
      .where('webhook_id', '=', webhookId)
      .where('status', '=', 'pending')
      .where('due_at', '<=', isoTime(now))
      .where('give_up_at', '<', isoTime(now))
      .execute();
  }

  /** @returns what is to be sent now, the oldest first. */
  next(webhookId: string, now: number, limit: number): Promise<WebhookDeliveryRow[]> {
    return this.#store.db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('webhook_id', '=', webhookId)
      .where('status', '=', 'pending')
      .where('due_at', '<=', isoTime(now))
      .orderBy('due_at')
      .orderBy('event_id')
      .limit(limit)
      .execute();
  }

  /** Writes what came of attempts at one webhook, in the order in which they ended. @returns the webhook as it is then. */
  async note(webhook: WebhookRow, attempts: readonly Attempt[]): Promise<WebhookRow> {
    const after = attempts.reduce(healthAfter, webhook);
    const { failures_in_a_row, failing_since, rests_until } = after;
    const health = { failures_in_a_row, failing_since, rests_until };
    const changed = Object.entries(health).some(([name, value]) => webhook[name as keyof WebhookRow] !== value);
    const { db } = this.#store;
    await this.#store.atomically([
      ...attempts.map((attempt) => this.#attempted(attempt)),
      ...(changed ? [db.updateTable('webhooks').set(health).where('id', '=', webhook.id)] : []),
      // As HTTP says it: it is gone, and will not come back.
      ...(attempts.some(({ answer }) => answer.status === 410)
        ? [db.updateTable('webhooks').set({ enabled: 0 }).where('id', '=', webhook.id)]
        : []),
    ]);
    return after;
  }

  #attempted({ row, answer, at, endedAt }: Attempt): Compilable {
    const attempts = row.attempts + 1;
    const next = isoTime(endedAt + retryDelayAfter(attempts, answer.retryAfterMs));
    const failed = next > row.give_up_at || answer.status === 410;
    const outcome =
      answer.problem === null
        ? ({ status: 'delivered' } as const)
        : failed
          ? ({ status: 'failed' } as const)
          : ({ status: 'pending', due_at: next } as const);
    return this.#store.db
      .updateTable('webhook_deliveries')
      .set({
        ...outcome,
        attempts,
        last_attempt_at: isoTime(at),
        last_status: answer.status,
        last_problem: answer.problem,
        last_duration_ms: Math.round(endedAt - at),
      })
      .where('webhook_id', '=', row.webhook_id)
      .where('event_id', '=', row.event_id);
  }
}

function healthAfter(webhook: WebhookRow, { answer, at, endedAt }: Attempt): WebhookRow {
  if (answer.problem === null) return { ...webhook, failures_in_a_row: 0, failing_since: null, rests_until: null };
  const failures = webhook.failures_in_a_row + 1;
  const rest = cooldownAfter(failures);
  return {
    ...webhook,
    failures_in_a_row: failures,
    failing_since: webhook.failing_since ?? isoTime(at),
    rests_until: rest === 0 ? null : isoTime(endedAt + rest),
  };
}
