import { z } from 'zod';
import { EVENT_TYPE_NAMES, EVENT_TYPES, TEST_EVENT } from '../../events/event-types.ts';
import { pageOf, pageQuery } from '../../http/paging.ts';
import { jsonObject, timestamp, unreadableMark, uuid } from '../../http/schemas.ts';

/** Of an organization: each event is stored once for each that wants it. */
export const MAX_WEBHOOKS = 20;
/** Personas that one webhook names. */
const MAX_PERSONAS = 100;

const TYPES_TEXT = Object.entries(EVENT_TYPES)
  .map(([name, meaning]) => `- \`${name}\`: ${meaning}`)
  .join('\n');

const fields = {
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .max(2048)
    .describe('Must be public.'),
  description: z.string().max(200).nullable(),
  eventTypes: z.array(z.enum(EVENT_TYPE_NAMES)).min(1).describe(`What it is told of:\n\n${TYPES_TEXT}`),
  personaIds: z
    .array(uuid)
    .min(1)
    .max(MAX_PERSONAS)
    .nullable()
    .describe('Only events of these personas. Null: of all, and of sessions without a saved persona.'),
  enabled: z.boolean().describe('Nothing is stored for one that is not enabled.'),
};

export const createWebhook = z
  .object(fields)
  .partial()
  .required({ url: true, eventTypes: true })
  .meta({
    id: 'CreateWebhook',
    examples: [
      {
        url: 'https://crm.example.com/parley',
        description: 'CRM',
        eventTypes: ['session.ended', 'transcript.ready'],
        personaIds: null,
      },
    ],
  });
export const updateWebhook = z.object(fields).partial().meta({ id: 'UpdateWebhook' });
export type WebhookInput = z.infer<typeof updateWebhook>;

export const listWebhooks = z.object(pageQuery());

const webhookFields = z.object({
  id: uuid,
  url: z.string(),
  description: z.string().nullable(),
  eventTypes: z.array(z.string()),
  personaIds: z.array(z.string()).nullable(),
  enabled: z.boolean(),
  failingSince: timestamp.nullable().describe('Since then no attempt has succeeded. Null: the last one did.'),
  pendingCount: z.number().int().describe('Events that wait for it.'),
  unreadable: unreadableMark,
  createdAt: timestamp,
  updatedAt: timestamp.nullable(),
});
export const webhookResponse = webhookFields.meta({ id: 'Webhook' });
export type WebhookResponse = z.infer<typeof webhookResponse>;

export const webhookWithSecret = webhookFields
  .extend({ secret: z.string().describe('`whsec_…`, which verifies what arrives. It is shown only now.') })
  .meta({ id: 'WebhookWithSecret' });

export const listDeliveries = z.object({
  ...pageQuery(20),
  status: z.enum(['pending', 'delivered', 'failed']).optional(),
  eventType: z.enum([...EVENT_TYPE_NAMES, TEST_EVENT]).optional(),
});

export const eventBody = z
  .object({
    type: z.string(),
    timestamp,
    data: jsonObject.describe('Ids and facts, never words of a conversation.'),
  })
  .meta({ id: 'WebhookEvent' });
export type EventBody = z.infer<typeof eventBody>;

export const deliveryResponse = z
  .object({
    eventId: z.string().describe('The header `webhook-id`: the same in each attempt.'),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.number().int(),
    nextAttemptAt: timestamp.nullable().describe('Null unless it is pending.'),
    lastAttemptAt: timestamp.nullable(),
    lastStatus: z.number().int().nullable().describe('HTTP status of the last answer.'),
    lastProblem: z.string().nullable(),
    lastDurationSeconds: z.number().nullable(),
    event: eventBody,
  })
  .meta({ id: 'WebhookDelivery' });
export type DeliveryResponse = z.infer<typeof deliveryResponse>;
export const deliveryPage = pageOf(deliveryResponse);

export const deliveryPath = z.object({
  id: z.string().meta({ format: 'uuid' }),
  eventId: z.string().min(1).max(64),
});

export const resendAnswer = z.object({ count: z.number().int().describe('How many are sent once more.') });
