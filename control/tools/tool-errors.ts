import type { Refusals } from '../errors.ts';

/** What only tools are refused for. */
export const toolErrors = {
  toolNotFound: [404, 'Tool not found', 'No tool of this organization has this id.'],
} as const satisfies Refusals;
