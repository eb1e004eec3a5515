import type { Refusals } from '../errors.ts';

/** What only voices are refused for. */
export const voiceErrors = {
  voiceNotFound: [404, 'Voice not found', 'No voice that this organization can use has this id.'],
} as const satisfies Refusals;
