import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { HttpError } from '../../errors/http-error.ts';
import { TEST_EVENT } from '../../events/event-types.ts';
import { DELIVERED_WITHIN_MS, eventId } from '../../events/outbox.ts';
import { type App, callerOf } from '../../http/app.ts';
import { metaOf } from '../../http/paging.ts';
import { errorAnswers, idPath } from '../../http/schemas.ts';
import { secondsOf } from '../../http/seconds.ts';
import type { Store } from '../../store/open.ts';
import type { WebhookDeliveryRow } from '../../store/webhook-tables.ts';
import { eventOf } from './sign-event.ts';
import { webhookErrors } from './webhook-errors.ts';
import { oneWebhook, type WebhookRoutesParts } from './webhook-routes.ts';
import { findWebhook } from './webhook-rows.ts';
import { deliveryPage, deliveryPath, type DeliveryResponse, listDeliveries, resendAnswer } from './webhook-schema.ts';

type Parts = Pick<WebhookRoutesParts, 'store' | 'now'>;

/** What was sent to a webhook, and sending it once more. */
export function deliveryRoutes(app: App, control: Parts): void {
  listDeliveriesRoute(app, control);
  sendTestRoute(app, control);
  resendRoute(app, control);
  resendFailedRoute(app, control);
}

function listDeliveriesRoute(app: App, { store }: Parts): void {
  app.get(
    '/v1/webhooks/:id/deliveries',
    {
      config: oneWebhook,
      schema: {
        summary: 'List what was sent to a webhook, and what waits',
        description: 'Newest first. Records are kept for a week.',
        params: idPath,
        querystring: listDeliveries,
        response: { 200: deliveryPage, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const { page, perPage, status, eventType } = request.query;
      const { id } = await findWebhook(store, callerOf(request).organizationId, request.params.id);
      let rows = store.db.selectFrom('webhook_deliveries').where('webhook_id', '=', id);
      if (status !== undefined) rows = rows.where('status', '=', status);
      if (eventType !== undefined) rows = rows.where('event_type', '=', eventType);
      const [{ total }, found] = await Promise.all([
        rows.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
        rows
          .selectAll()
          .orderBy('created_at', 'desc')
          .orderBy('event_id')
          .limit(perPage)
          .offset((page - 1) * perPage)
          .execute(),
      ]);
      return { data: found.map(deliveryOf), meta: metaOf({ page, perPage }, Number(total)) };
    },
  );
}

function sendTestRoute(app: App, { store, now }: Parts): void {
  app.post(
    '/v1/webhooks/:id/test',
    {
      config: oneWebhook,
      schema: {
        summary: 'Send a test event',
        description: `An event of the type \`${TEST_EVENT}\`, signed like any other. What came of it is in the list of deliveries.`,
        params: idPath,
        response: { 202: z.object({ eventId: z.string() }), ...errorAnswers(404) },
      },
    },
    async (request, reply) => {
      const { id } = await findWebhook(store, callerOf(request).organizationId, request.params.id);
      const at = isoTime(now());
      const event = eventId(TEST_EVENT, id, randomUUID());
      const row: WebhookDeliveryRow = {
        webhook_id: id,
        event_id: event,
        event_type: TEST_EVENT,
        session_id: null,
        persona_id: null,
        data_json: JSON.stringify({ webhookId: id }),
        status: 'pending',
        attempts: 0,
        due_at: at,
        give_up_at: isoTime(now() + DELIVERED_WITHIN_MS),
        last_attempt_at: null,
        last_status: null,
        last_problem: null,
        last_duration_ms: null,
        created_at: at,
      };
      await store.atomically([
        store.db.insertInto('webhook_deliveries').values(row),
        // Somebody waits for it, so a receiver that was away is asked now.
        store.db.updateTable('webhooks').set({ rests_until: null }).where('id', '=', id),
      ]);
      return reply.status(202).send({ eventId: event });
    },
  );
}

function resendRoute(app: App, { store, now }: Parts): void {
  app.post(
    '/v1/webhooks/:id/deliveries/:eventId/resend',
    {
      config: oneWebhook,
      schema: {
        summary: 'Send an event once more',
        description: 'With the same `webhook-id`, also one that was delivered.',
        params: deliveryPath,
        response: { 202: resendAnswer, ...errorAnswers(404) },
      },
    },
    async (request, reply) => {
      const { id } = await findWebhook(store, callerOf(request).organizationId, request.params.id);
      const { eventId: event } = request.params;
      if ((await resend(store, id, now(), (rows) => rows.where('event_id', '=', event))) === 0)
        throw new HttpError(webhookErrors.deliveryNotFound);
      return reply.status(202).send({ count: 1 });
    },
  );
}

function resendFailedRoute(app: App, { store, now }: Parts): void {
  app.post(
    '/v1/webhooks/:id/resend-failed',
    {
      config: oneWebhook,
      schema: {
        summary: 'Send everything once more that failed',
        params: idPath,
        response: { 202: resendAnswer, ...errorAnswers(404) },
      },
    },
    async (request, reply) => {
      const { id } = await findWebhook(store, callerOf(request).organizationId, request.params.id);
      const count = await resend(store, id, now(), (rows) => rows.where('status', '=', 'failed'));
      return reply.status(202).send({ count });
    },
  );
}

const again = ({ db }: Store, webhookId: string, now: number) =>
  db
    .updateTable('webhook_deliveries')
    .set({
      status: 'pending',
      attempts: 0,
      due_at: isoTime(now),
      give_up_at: isoTime(now + DELIVERED_WITHIN_MS),
      last_problem: null,
    })
    .where('webhook_id', '=', webhookId);

/** @returns how many. */
async function resend(
  store: Store,
  webhookId: string,
  now: number,
  which: (rows: ReturnType<typeof again>) => ReturnType<typeof again>,
): Promise<number> {
  const { numUpdatedRows } = await which(again(store, webhookId, now)).executeTakeFirstOrThrow();
  await store.db.updateTable('webhooks').set({ rests_until: null }).where('id', '=', webhookId).execute();
  return Number(numUpdatedRows);
}

function deliveryOf(row: WebhookDeliveryRow): DeliveryResponse {
  return {
    eventId: row.event_id,
    status: row.status,
    attempts: row.attempts,
    nextAttemptAt: row.status === 'pending' ? row.due_at : null,
    lastAttemptAt: row.last_attempt_at,
    lastStatus: row.last_status,
    lastProblem: row.last_problem,
    lastDurationSeconds: row.last_duration_ms === null ? null : secondsOf(row.last_duration_ms),
    event: eventOf(row),
  };
}
