import type { Resource } from '../../http/resource.ts';
import { videoErrors } from '../../errors/video-errors.ts';
import { videoExamples } from './video-examples.ts';
import { videoRoutes, type VideoRoutesParts } from './video-routes.ts';

export const videos: Resource<VideoRoutesParts> = {
  tag: 'Avatar videos',
  description: 'Videos of an avatar that speaks a script, made in the background.',
  scopes: [{ name: 'avatar-videos', byDefault: true }],
  errors: videoErrors,
  examples: videoExamples,
  routes: videoRoutes,
};
