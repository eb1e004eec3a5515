import { randomUUID } from 'node:crypto';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import type { Vault } from '../../access/vault.ts';
import { detail, HttpError, invalid } from '../../errors/http-error.ts';
import { type App, callerOf } from '../../http/app.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import { emptyAnswer, errorAnswers, idPath } from '../../http/schemas.ts';
import type { ControlPorts } from '../../ports.ts';
import type { Store } from '../../store/open.ts';
import type { WebhookRow } from '../../store/webhook-tables.ts';
import { webhookErrors } from './webhook-errors.ts';
import { findWebhook, newSecret, pendingCounts, webhookOf } from './webhook-rows.ts';
import {
  createWebhook,
  listWebhooks,
  MAX_WEBHOOKS,
  updateWebhook,
  webhookResponse,
  webhookWithSecret,
} from './webhook-schema.ts';

/** What these routes take of the service. */
export interface WebhookRoutesParts {
  readonly store: Store;
  readonly vault: Vault;
  readonly ports: Pick<ControlPorts, 'publicUrls'>;
  readonly now: () => number;
}

export const oneWebhook = { pathId: { status: 404, missing: webhookErrors.webhookNotFound } } as const;

/** How long events are signed with the secret before as well, ms: receivers change theirs meanwhile. */
const BOTH_SECRETS_MS = 24 * 3_600_000;

/** Where an organization wants to be told of events. */
export function webhookRoutes(app: App, control: WebhookRoutesParts): void {
  listWebhooksRoute(app, control);
  addWebhookRoute(app, control);
  readWebhookRoute(app, control);
  changeWebhookRoute(app, control);
  deleteWebhookRoute(app, control);
  renewSecretRoute(app, control);
}

function listWebhooksRoute(app: App, { store, vault }: WebhookRoutesParts): void {
  app.get(
    '/v1/webhooks',
    {
      schema: {
        summary: 'List webhooks',
        querystring: listWebhooks,
        response: { 200: pageOf(webhookResponse), ...errorAnswers(400) },
      },
    },
    async (request) => {
      const own = store.db.selectFrom('webhooks').where('organization_id', '=', callerOf(request).organizationId);
      const { rows, meta } = await readPage(own, request.query);
      const ids = rows.map(({ id }) => id);
      const counts = await pendingCounts(store, ids);
      return { data: rows.map((row) => webhookOf(vault, row, counts.get(row.id) ?? 0)), meta };
    },
  );
}

function addWebhookRoute(app: App, control: WebhookRoutesParts): void {
  const { store, vault } = control;
  app.post(
    '/v1/webhooks',
    {
      schema: {
        summary: 'Add a webhook',
        description:
          'Events are sent to its URL, signed as [Standard Webhooks](https://www.standardwebhooks.com) says. ' +
          'The answer has the secret that verifies them; it is not shown again.',
        body: createWebhook,
        response: { 201: webhookWithSecret, ...errorAnswers(400, 409) },
      },
    },
    async (request, reply) => {
      const { organizationId } = callerOf(request);
      const { url, description = null, eventTypes, personaIds = null, enabled = true } = request.body;
      await checkUrl(control, url);
      await checkCount(store, organizationId);
      const id = randomUUID();
      const secret = newSecret();
      const row: WebhookRow = {
        id,
        organization_id: organizationId,
        url,
        description,
        secret_cipher: vault.close(secret, id),
        previous_secret_cipher: null,
        previous_secret_until: null,
        event_types_json: listJson(eventTypes),
        persona_ids_json: personaIds === null ? null : listJson(personaIds),
        enabled: Number(enabled),
        failures_in_a_row: 0,
        failing_since: null,
        rests_until: null,
        created_at: isoTime(control.now()),
        updated_at: null,
      };
      await store.db.insertInto('webhooks').values(row).execute();
      return reply.status(201).send({ ...webhookOf(vault, row, 0), secret });
    },
  );
}

function readWebhookRoute(app: App, { store, vault }: WebhookRoutesParts): void {
  app.get(
    '/v1/webhooks/:id',
    {
      config: oneWebhook,
      schema: {
        summary: 'Read a webhook',
        params: idPath,
        response: { 200: webhookResponse, ...errorAnswers(404) },
      },
    },
    async (request) => {
      const row = await findWebhook(store, callerOf(request).organizationId, request.params.id);
      return webhookOf(vault, row, (await pendingCounts(store, [row.id])).get(row.id) ?? 0);
    },
  );
}

function changeWebhookRoute(app: App, control: WebhookRoutesParts): void {
  const { store, vault } = control;
  app.put(
    '/v1/webhooks/:id',
    {
      config: oneWebhook,
      schema: {
        summary: 'Change a webhook',
        description: 'A receiver that was away is asked again at once.',
        params: idPath,
        body: updateWebhook,
        response: { 200: webhookResponse, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const { id } = await findWebhook(store, callerOf(request).organizationId, request.params.id);
      const { url, description, eventTypes, personaIds, enabled } = request.body;
      if (url !== undefined) await checkUrl(control, url);
      const row = await store.db
        .updateTable('webhooks')
        .set({
          url,
          description,
          event_types_json: eventTypes && listJson(eventTypes),
          persona_ids_json: personaIds && listJson(personaIds),
          enabled: enabled === undefined ? undefined : Number(enabled),
          rests_until: null,
          updated_at: isoTime(control.now()),
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) throw new HttpError(webhookErrors.webhookNotFound);
      return webhookOf(vault, row, (await pendingCounts(store, [id])).get(id) ?? 0);
    },
  );
}

function deleteWebhookRoute(app: App, { store }: WebhookRoutesParts): void {
  app.delete(
    '/v1/webhooks/:id',
    {
      config: oneWebhook,
      schema: {
        summary: 'Delete a webhook',
        description: 'With the record of its deliveries. What waits for it is not sent any more.',
        params: idPath,
        response: { 204: emptyAnswer, ...errorAnswers(404) },
      },
    },
    async (request, reply) => {
      const { id } = await findWebhook(store, callerOf(request).organizationId, request.params.id);
      await store.db.deleteFrom('webhooks').where('id', '=', id).execute();
      return reply.status(204).send(null);
    },
  );
}

function renewSecretRoute(app: App, { store, vault, now }: WebhookRoutesParts): void {
  app.post(
    '/v1/webhooks/:id/secret',
    {
      config: oneWebhook,
      schema: {
        summary: 'Give a webhook a new secret',
        description: 'For a day, events are signed with the new secret and the one before, so that none is refused.',
        params: idPath,
        response: { 200: webhookWithSecret, ...errorAnswers(404) },
      },
    },
    async (request) => {
      const { id, secret_cipher: before } = await findWebhook(
        store,
        callerOf(request).organizationId,
        request.params.id,
      );
      const secret = newSecret();
      const row = await store.db
        .updateTable('webhooks')
        .set({
          secret_cipher: vault.close(secret, id),
          previous_secret_cipher: before,
          previous_secret_until: isoTime(now() + BOTH_SECRETS_MS),
          updated_at: isoTime(now()),
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) throw new HttpError(webhookErrors.webhookNotFound);
      return { ...webhookOf(vault, row, (await pendingCounts(store, [id])).get(id) ?? 0), secret };
    },
  );
}

const listJson = (values: readonly string[]): string => JSON.stringify([...new Set(values)]);

/** @throws HttpError 400 when it does not point to the public internet. */
async function checkUrl({ ports }: Pick<WebhookRoutesParts, 'ports'>, url: string): Promise<void> {
  const problem = await ports.publicUrls.problemWith(url);
  if (problem !== null) throw invalid([detail('url', problem)]);
}

/** @throws HttpError 409 */
async function checkCount({ db }: Store, organizationId: string): Promise<void> {
  const { count } = await db
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_WEBHOOKS) throw new HttpError(webhookErrors.tooManyWebhooks);
}
