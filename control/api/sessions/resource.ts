import type { Resource } from '../../http/resource.ts';
import { analyticsExamples } from './analytics-examples.ts';
import { analyticsRoutes, type AnalyticsRoutesParts } from './analytics-routes.ts';
import { engineSessionRoutes, type EngineSessionRoutesParts } from './engine-session-routes.ts';
import { sessionErrors } from '../../errors/session-errors.ts';
import { realtimeRoutes } from './realtime-routes.ts';
import { sessionExamples } from './session-examples.ts';
import { sessionRoutes, type SessionRoutesParts } from './session-routes.ts';
import { sessionListRoutes, type SessionListParts } from './list-routes.ts';
import { sessionTokenRoutes, type SessionTokenRoutesParts } from './session-token-routes.ts';
import { usageRoutes, type UsageRoutesParts } from './usage-routes.ts';

export const sessions: Resource<
  SessionTokenRoutesParts &
    SessionListParts &
    SessionRoutesParts &
    AnalyticsRoutesParts &
    UsageRoutesParts &
    EngineSessionRoutesParts
> = {
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
    sessionListRoutes(app, control);
    sessionRoutes(app, control);
    analyticsRoutes(app, control);
    usageRoutes(app, control);
    engineSessionRoutes(app, control);
    realtimeRoutes(app);
  },
};
