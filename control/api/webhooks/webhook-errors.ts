import type { Refusals } from '../../errors/http-error.ts';

/** What only webhooks are refused for. */
export const webhookErrors = {
  webhookNotFound: [404, 'Webhook not found', 'No webhook of this organization has this id.'],
  deliveryNotFound: [
    404,
    'Delivery not found',
    'This webhook was sent no event with this id, or its record is too old.',
  ],
  tooManyWebhooks: [409, 'Too many webhooks', 'An organization has at most 20 webhooks.'],
} as const satisfies Refusals;
