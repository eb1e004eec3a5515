import type { Resource } from '../../http/resource.ts';
import { personaErrors } from './persona-errors.ts';
import { personaExamples } from './persona-examples.ts';
import { personaRoutes, type PersonaRoutesParts } from './persona-routes.ts';
import { draftRoutes, type DraftRoutesParts } from './draft-routes.ts';
import { versionRoutes } from './version-routes.ts';
import { versionExamples } from './version-examples.ts';

export const personas: Resource<PersonaRoutesParts & DraftRoutesParts> = {
  tag: 'Personas',
  description: 'Who is talked to: a face, a voice, a mind and how they behave.',
  scopes: [{ name: 'personas', byDefault: true }],
  errors: personaErrors,
  examples: { ...personaExamples, ...versionExamples },
  routes(app, control) {
    personaRoutes(app, control);
    draftRoutes(app, control);
    versionRoutes(app, control);
  },
};
