import type { Refusals } from './http-error.ts';

/** What only avatar videos are refused for. */
export const videoErrors = {
  videoNotFound: [404, 'Avatar video not found', 'No avatar video of this organization has this id.'],
  videoNotReady: [409, 'Video is not ready', 'The video is still being made, or could not be made.'],
  videoQueueFull: [429, 'Video queue is full', 'Too many avatar videos are waiting; try again later.'],
} as const satisfies Refusals;
