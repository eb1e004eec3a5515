import type { Refusals } from '../../errors/http-error.ts';

/** What only personas are refused for. */
export const personaErrors = {
  personaNotFound: [404, 'Persona not found', 'No persona of this organization has this id.'],
  versionNotFound: [404, 'Version not found', 'The persona has no version of this number, or not any more.'],
  testsNotPassed: [
    409,
    'Tests not passed',
    'The tests of the persona have to pass with this draft before it can be published.',
  ],
  nothingToPublish: [409, 'Nothing to publish', 'The persona has no draft: what was saved is live.'],
} as const satisfies Refusals;
