import type { Resource } from '../../http/resource.ts';
import { toolErrors } from './tool-errors.ts';
import { toolExamples } from './tool-examples.ts';
import { toolRoutes, type ToolRoutesParts } from './tool-routes.ts';
import { toolTrialRoutes, type ToolTrialRoutesParts } from './tool-trial-routes.ts';

export const tools: Resource<ToolRoutesParts & ToolTrialRoutesParts> = {
  tag: 'Tools',
  description: 'What personas can do besides talking.',
  scopes: [{ name: 'tools', byDefault: true }],
  errors: toolErrors,
  examples: toolExamples,
  routes(app, control) {
    toolRoutes(app, control);
    toolTrialRoutes(app, control);
  },
};
