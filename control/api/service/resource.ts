import type { Resource } from '../../http/resource.ts';
import { clientMetricsRoutes, type ClientMetricsRoutesParts } from './client-metrics-routes.ts';
import { healthRoutes, type HealthRoutesParts } from './health-routes.ts';
import { serviceExamples } from './service-examples.ts';

export const service: Resource<HealthRoutesParts & ClientMetricsRoutesParts> = {
  tag: 'Service',
  description: 'Whether the service is well, and what clients report to it.',
  scopes: [],
  errors: {},
  examples: serviceExamples,
  routes(app, control) {
    healthRoutes(app, control);
    clientMetricsRoutes(app, control);
  },
};
