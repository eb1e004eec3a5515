import type { Resource } from '../../http/resource.ts';
import { shareLinkErrors } from '../../errors/share-link-errors.ts';
import { shareLinkExamples } from './share-link-examples.ts';
import { shareLinkRoutes, type ShareLinkRoutesParts } from './share-link-routes.ts';
import { shareLinkVisitorRoutes, type VisitorRoutesParts } from './visitor-routes.ts';

export const shareLinks: Resource<ShareLinkRoutesParts & VisitorRoutesParts> = {
  tag: 'Share links',
  description: 'Links with which visitors can talk to a persona.',
  scopes: [{ name: 'share-links', byDefault: true }],
  errors: shareLinkErrors,
  examples: shareLinkExamples,
  routes(app, control) {
    shareLinkRoutes(app, control);
    shareLinkVisitorRoutes(app, control);
  },
};
