import type { Refusals } from '../../errors/http-error.ts';

/** What only tools are refused for. */
export const toolErrors = {
  toolNotFound: [404, 'Tool not found', 'No tool of this organization has this id.'],
  toolRunsInSessions: [
    400,
    'Tool runs only in sessions',
    'Client tools run in the page of the user, and system tools change a session: neither can be run without one.',
  ],
} as const satisfies Refusals;
