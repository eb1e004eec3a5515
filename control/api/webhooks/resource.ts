import type { Resource } from '../../http/resource.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { webhookErrors } from './webhook-errors.ts';
import { webhookExamples } from './webhook-examples.ts';
import { webhookRoutes, type WebhookRoutesParts } from './webhook-routes.ts';

export const webhooks: Resource<WebhookRoutesParts> = {
  tag: 'Webhooks',
  description: 'Where an organization is told of events, for example that a session has ended.',
  // Who may add one learns of every session.
  scopes: [{ name: 'webhooks', byDefault: false }],
  errors: webhookErrors,
  examples: webhookExamples,
  routes(app, control) {
    webhookRoutes(app, control);
    deliveryRoutes(app, control);
  },
};
