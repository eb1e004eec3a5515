import { metaOf } from '../../http/paging.ts';
import type { Examples } from '../../http/resource.ts';
import { webhookErrors } from './webhook-errors.ts';
import type { DeliveryResponse, WebhookResponse } from './webhook-schema.ts';

const crm: WebhookResponse = {
  id: '5d0c5a5f-6a39-4c0f-9a3c-0f5f7b9a6b21',
  url: 'https://crm.example.com/parley',
  description: 'CRM',
  eventTypes: ['session.ended', 'transcript.ready'],
  personaIds: null,
  enabled: true,
  failingSince: null,
  pendingCount: 0,
  createdAt: '2026-11-26T20:12:09.774Z',
  updatedAt: null,
};
const secret = 'whsec_SGVyZSBhcmUgdGhpcnR5LXR3byByYW5kb20gYnl0ZXM=';

const delivery: DeliveryResponse = {
  eventId: 'evt_w0lSg2fQeI9cV8nO1r5bJb7S4kq3mZtA',
  status: 'delivered',
  attempts: 2,
  nextAttemptAt: null,
  lastAttemptAt: '2026-11-26T20:14:31.002Z',
  lastStatus: 204,
  lastProblem: null,
  lastDurationSeconds: 0.041,
  event: {
    type: 'session.ended',
    timestamp: '2026-11-26T20:14:25.512Z',
    data: {
      sessionId: '3f9c8f0a-2b68-4d0e-8f3c-7a1f5f6f2f10',
      personaId: '0f3a7c52-55f5-4a0e-8f0e-0d8d4a3b8f11',
      endTime: '2026-11-26T20:14:25.512Z',
      exitStatus: 'NORMAL_EXIT',
      endReason: 'client_disconnected',
    },
  },
};

export const webhookExamples: Examples = {
  'GET /v1/webhooks': { answer: { data: [crm], meta: metaOf({ page: 1, perPage: 10 }, 1) } },
  'POST /v1/webhooks': { answer: { ...crm, secret }, refusals: [webhookErrors.tooManyWebhooks] },
  'GET /v1/webhooks/{id}': { answer: crm },
  'PUT /v1/webhooks/{id}': {
    request: { enabled: false },
    answer: { ...crm, enabled: false, updatedAt: '2026-11-26T20:20:09.774Z' },
  },
  'POST /v1/webhooks/{id}/secret': { answer: { ...crm, secret } },
  'GET /v1/webhooks/{id}/deliveries': {
    answer: { data: [delivery], meta: metaOf({ page: 1, perPage: 20 }, 1) },
  },
  'POST /v1/webhooks/{id}/test': { answer: { eventId: 'evt_w0lSg2fQeI9cV8nO1r5bJb7S4kq3mZtA' } },
  'POST /v1/webhooks/{id}/deliveries/{eventId}/resend': {
    answer: { count: 1 },
    refusals: [webhookErrors.deliveryNotFound],
  },
  'POST /v1/webhooks/{id}/resend-failed': { answer: { count: 12 } },
};
