import type { App } from '../../http/app.ts';
import type { Resource } from '../../http/resource.ts';
import { invitationRoutes } from './invitation-routes.ts';
import { meRoutes } from './me-routes.ts';
import { signInErrors } from './sign-in-errors.ts';
import { signInExamples } from './sign-in-examples.ts';
import { signInRoutes, type SignInRoutesParts } from './sign-in-routes.ts';

export const signIns: Resource<SignInRoutesParts> = {
  tag: 'Signing in',
  description: 'How users come in and go out, and who is calling. The token of a sign-in is used as an API key is.',
  scopes: [],
  errors: signInErrors,
  examples: signInExamples,
  routes(app: App, parts) {
    signInRoutes(app, parts);
    invitationRoutes(app, parts);
    meRoutes(app, parts);
  },
};
