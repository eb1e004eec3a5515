import type { Resource } from '../../http/resource.ts';
import { userErrors } from './user-errors.ts';
import { userExamples } from './user-examples.ts';
import { userRoutes, type UserRoutesParts } from './user-routes.ts';

export const users: Resource<UserRoutesParts> = {
  tag: 'Users',
  description: 'People of the organization who sign in to the console, each with a role.',
  scopes: [{ name: 'users', byDefault: false }],
  errors: userErrors,
  examples: userExamples,
  routes: userRoutes,
};
