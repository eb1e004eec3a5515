import type { Resource } from '../../http/resource.ts';
import { personas } from '../personas/resource.ts';
import { runRoutes, type RunRoutesParts } from './run-routes.ts';
import { personaTestErrors } from './test-errors.ts';
import { personaTestExamples } from './test-examples.ts';
import { testRoutes, type TestRoutesParts } from './test-routes.ts';
import { TestRuns } from './test-runs.ts';

export const personaTests: Resource<TestRoutesParts & RunRoutesParts> = {
  tag: 'Tests of personas',
  description: 'Conversations that a draft or a version has to get through, in seconds and without a call.',
  // Who may change a persona may test it: keys of before can.
  scopes: personas.scopes,
  errors: personaTestErrors,
  examples: personaTestExamples,
  routes(app, control) {
    const runs = new TestRuns(control);
    app.addHook('onClose', () => runs.close());
    testRoutes(app, control);
    runRoutes(app, control, runs);
  },
};
