import type { Resource } from '../../http/resource.ts';
import { apiKeyErrors } from './api-key-errors.ts';
import { apiKeyExamples } from './api-key-examples.ts';
import { apiKeyRoutes, type ApiKeyRoutesParts } from './api-key-routes.ts';

export const apiKeys: Resource<ApiKeyRoutesParts> = {
  tag: 'API keys',
  description: 'Keys of the organization. A key can make others that may do as much as itself, or less.',
  scopes: [{ name: 'api-keys', byDefault: false }],
  errors: apiKeyErrors,
  examples: apiKeyExamples,
  routes: apiKeyRoutes,
};
