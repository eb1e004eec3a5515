import type { Refusals } from '../../errors/http-error.ts';

/** What only avatars are refused for. */
export const avatarErrors = {
  avatarNotFound: [404, 'Avatar not found', 'No avatar that this organization can use has this id.'],
  unprocessableImage: [422, 'Image could not be processed', 'No avatar can be made from this image.'],
  avatarQueueFull: [429, 'Avatar queue is full', 'Too many images are waiting to become avatars; try again later.'],
} as const satisfies Refusals;
