import type { Resource } from '../../http/resource.ts';
import { personaErrors } from './persona-errors.ts';
import { personaExamples } from './persona-examples.ts';
import { personaRoutes, type PersonaRoutesParts } from './persona-routes.ts';

export const personas: Resource<PersonaRoutesParts> = {
  tag: 'Personas',
  description: 'Who is talked to: a face, a voice, a mind and how they behave.',
  scopes: [{ name: 'personas', byDefault: true }],
  errors: personaErrors,
  examples: personaExamples,
  routes: personaRoutes,
};
