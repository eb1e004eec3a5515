import type { Resource } from '../../http/resource.ts';
import { localModelErrors } from './local-model-errors.ts';
import { localModelExamples } from './local-model-examples.ts';
import { localModelRoutes, type LocalModelRoutesParts } from './local-model-routes.ts';
import { operatorExamples } from './operator-examples.ts';
import { providerLatencyRoutes, type ProviderLatencyRoutesParts } from './provider-latency-routes.ts';

export const operator: Resource<ProviderLatencyRoutesParts & LocalModelRoutesParts> = {
  tag: 'Operator',
  description: 'What concerns the whole deployment, and so its operator alone.',
  scopes: [{ name: 'operator', byDefault: false }],
  errors: localModelErrors,
  examples: { ...operatorExamples, ...localModelExamples },
  routes(app, control) {
    providerLatencyRoutes(app, control);
    localModelRoutes(app, control);
  },
};
