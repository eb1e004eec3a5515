import type { Refusals } from '../errors.ts';

/** What only voices are refused for. */
export const voiceErrors = {
  voiceNotFound: [404, 'Voice not found', 'No voice that this organization can use has this id.'],
  sampleQueueFull: [429, 'Voices are busy', 'Too many samples and previews of voices are waiting; try again later.'],
  sampleFailed: [502, 'Voice failed', 'This voice cannot be heard now: its provider failed. Try again in a minute.'],
} as const satisfies Refusals;
