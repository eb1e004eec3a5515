import type { Resource } from '../../http/resource.ts';
import { analyticsExamples } from './analytics-examples.ts';
import { analyticsRoutes } from './analytics-routes.ts';
import { engineSessionRoutes } from './engine-session-routes.ts';
import { sessionErrors } from '../../errors/session-errors.ts';
import { sessionExamples } from './session-examples.ts';
import { sessionRoutes } from './session-routes.ts';
import { sessionTokenRoutes } from './session-token-routes.ts';
import { usageRoutes } from './usage-routes.ts';

export const sessions: Resource = {
  tag: 'Sessions',
  description: 'Conversations: how one starts, and what is known of it afterwards.',
  scopes: [
    { name: 'sessions', byDefault: true },
    { name: 'session-tokens', byDefault: true },
  ],
  errors: sessionErrors,
  examples: { ...sessionExamples, ...analyticsExamples },
  routes(app, control) {
    sessionTokenRoutes(app, control);
    sessionRoutes(app, control);
    analyticsRoutes(app, control);
    usageRoutes(app, control);
    engineSessionRoutes(app, control);
  },
};
