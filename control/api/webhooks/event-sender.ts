import type { Logger } from '../../../runtime/log.ts';
import type { Timers } from '../../../runtime/clock.ts';
import { type Vault, VaultError } from '../../access/vault.ts';
import type { JobQueue, Outcome } from '../../jobs/job-queue.ts';
import type { EventAnswer, EventPost } from '../../ports.ts';
import type { Claims } from '../../store/claims.ts';
import type { Store } from '../../store/open.ts';
import type { WebhookDeliveryRow, WebhookRow } from '../../store/webhook-tables.ts';
import { type Attempt, DeliveryRows } from './delivery-rows.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { UNREACHABLE_AFTER_FAILURES } from './retry-schedule.ts';
import { eventOf, type EventSigner, eventSigner } from './sign-event.ts';

/** How often the outbox is looked at, ms: one query over an index. An event leaves within about this time. */
const LOOK_EVERY_MS = 1_000;
/** Webhooks that one process serves at a time: it mostly waits for their receivers. */
const WEBHOOKS_AT_A_TIME = 16;
/** Of them those of one organization: one with slow receivers keeps nobody else waiting. */
const OF_ONE_ORGANIZATION = 4;
/** Requests to one webhook at a time. */
const REQUESTS_AT_A_TIME = 8;
/** Events whose outcome is written together. If the process dies before, as many are sent twice, with the same id. */
const BATCH = 64;
/** After this time, ms, others have their turn. */
const SLICE_MS = 5_000;
/** When a webhook is looked at again that another process serves, ms. */
const AGAIN_MS = 1_000;

export interface EventSenderOptions {
  readonly store: Store;
  readonly vault: Vault;
  readonly post: EventPost;
  readonly jobs: JobQueue;
  readonly claims: Claims;
  readonly timers: Timers;
  /** Ms since the epoch. */
  readonly now: () => number;
  readonly log: Pick<Logger, 'warn' | 'info'>;
}

export interface EventSender {
  /** Takes no further event, and waits for the requests that run. */
  close(): Promise<void>;
}

/**
 * Sends what the outbox holds. Each job stands for one webhook, so that a slow receiver keeps nobody else waiting. A
 * webhook is served by one process at a time.
 */
export function openEventSender(options: EventSenderOptions): EventSender {
  const { claims, jobs, log, now, timers } = options;
  const rows = new DeliveryRows(options.store);
  const closing = new AbortController();
  const limiter = new ConcurrencyLimiter(OF_ONE_ORGANIZATION);
  let timer: unknown = null;

  async function serve(webhookId: string): Promise<Outcome> {
    const organizationId = (await rows.open(webhookId, now()))?.organization_id;
    if (organizationId === undefined) return;
    const served = await limiter.tryRun(organizationId, () => serveAlone(webhookId));
    return served === null ? { againInMs: AGAIN_MS } : served.done;
  }

  async function serveAlone(webhookId: string): Promise<Outcome> {
    const claim = await claims.take(`webhook ${webhookId}`);
    if (claim === null) return { againInMs: AGAIN_MS };
    try {
      const stop = AbortSignal.any([claim.lost, closing.signal]);
      await rows.giveUpLate(webhookId, now());
      const until = now() + SLICE_MS;
      while (!stop.aborted && now() < until) {
        const webhook = await rows.open(webhookId, now());
        if (webhook === null) return;
        // A receiver that is away is asked with one event.
        const isUnreachable = webhook.failures_in_a_row >= UNREACHABLE_AFTER_FAILURES;
        const batch = await rows.next(webhookId, now(), isUnreachable ? 1 : BATCH);
        if (batch.length === 0) return;
        const attempts = await sendAll(options, { webhook, batch, until }, stop);
        tellChange(log, webhook, await rows.note(webhook, attempts));
      }
      return { againInMs: 1 };
    } finally {
      await claim.release();
    }
  }

  async function look(): Promise<void> {
    try {
      for (const id of await rows.due(now())) await jobs.add('webhook', id);
    } catch (error) {
      log.warn({ err: error }, 'events could not be looked for; it is tried again');
    }
    if (!closing.signal.aborted) timer = timers.setTimeout(() => void look(), LOOK_EVERY_MS);
  }

  jobs.process('webhook', WEBHOOKS_AT_A_TIME, serve);
  void look();
  return {
    async close() {
      closing.abort();
      timers.clearTimeout(timer);
      await jobs.idle('webhook');
    },
  };
}

/**
 * Sends a batch, some at a time. What is left when its receiver is found away, when its time is over, or when it has to stop,
 * is not tried.
 */
async function sendAll(
  { vault, post, now }: Pick<EventSenderOptions, 'vault' | 'post' | 'now'>,
  { webhook, batch, until }: { webhook: WebhookRow; batch: readonly WebhookDeliveryRow[]; until: number },
  stop: AbortSignal,
): Promise<Attempt[]> {
  const signer = signerOf(vault, webhook, now());
  const attempts: Attempt[] = [];
  const waiting = batch.values();
  let failuresInARow = webhook.failures_in_a_row;
  async function send(): Promise<void> {
    for (const row of waiting) {
      const at = now();
      const body = JSON.stringify(eventOf(row));
      const answer: EventAnswer =
        typeof signer === 'string'
          ? { status: null, problem: signer }
          : await post({ url: webhook.url, headers: signer.headers(row.event_id, body, at), body, signal: stop });
      // It was cut off, or another process has begun with it: it does not count.
      if (stop.aborted && answer.problem !== null) return;
      attempts.push({ row, answer, at, endedAt: now() });
      failuresInARow = answer.problem === null ? 0 : failuresInARow + 1;
      if (failuresInARow >= UNREACHABLE_AFTER_FAILURES || stop.aborted || now() >= until) return;
    }
  }
  await Promise.all(Array.from({ length: REQUESTS_AT_A_TIME }, send));
  return attempts;
}

/** @returns a sentence when the secret cannot be opened. */
function signerOf(vault: Vault, webhook: WebhookRow, now: number): EventSigner | string {
  try {
    return eventSigner(vault, webhook, now);
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    return 'Its secret cannot be opened, because the master key has changed. Give it a new one.';
  }
}

function tellChange(log: EventSenderOptions['log'], before: WebhookRow, after: WebhookRow): void {
  const [wasUnreachable, isUnreachable] = [before, after].map(
    ({ failures_in_a_row: failures }) => failures >= UNREACHABLE_AFTER_FAILURES,
  );
  if (!wasUnreachable && isUnreachable)
    log.warn({ webhookId: after.id }, 'the receiver of a webhook is away: its events wait');
  if (wasUnreachable && !isUnreachable) log.info({ webhookId: after.id }, 'the receiver of a webhook is back');
}
