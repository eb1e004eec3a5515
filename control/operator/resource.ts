import type { Resource } from '../resource.ts';
import { operatorExamples } from './operator-examples.ts';
import { providerLatencyRoutes } from './provider-latency-routes.ts';

export const operator: Resource = {
  tag: 'Operator',
  description: 'What concerns the whole deployment, and so its operator alone.',
  scopes: [{ name: 'operator', byDefault: false }],
  errors: {},
  examples: operatorExamples,
  routes: providerLatencyRoutes,
};
