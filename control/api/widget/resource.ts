import type { Resource } from '../../http/resource.ts';
import { widgetExamples } from './widget-examples.ts';
import { widgetRoutes, type WidgetRoutesParts } from './widget-routes.ts';

export const widget: Resource<WidgetRoutesParts> = {
  tag: 'Widget',
  description: 'What the widget on a web site asks for. No key is needed, but a site that the persona allows.',
  scopes: [],
  errors: {},
  examples: widgetExamples,
  routes: widgetRoutes,
};
