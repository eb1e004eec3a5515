import type { Resource } from '../../http/resource.ts';
import { organizationExamples } from './organization-examples.ts';
import { priceRoutes } from './price-routes.ts';
import { organizationRoutes } from './organization-routes.ts';
import { transcriptionRoutes, type TranscriptionRoutesParts } from './transcription-routes.ts';

export const organization: Resource<TranscriptionRoutesParts> = {
  tag: 'Organization',
  description: 'What holds for all personas of an organization, unless they say otherwise.',
  scopes: [{ name: 'organization', byDefault: true }],
  errors: {},
  examples: organizationExamples,
  routes: (app, control) => {
    organizationRoutes(app, control);
    transcriptionRoutes(app, control);
    priceRoutes(app, control);
  },
};
