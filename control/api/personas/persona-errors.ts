import type { Refusals } from '../../errors/http-error.ts';

/** What only personas are refused for. */
export const personaErrors = {
  personaNotFound: [404, 'Persona not found', 'No persona of this organization has this id.'],
} as const satisfies Refusals;
