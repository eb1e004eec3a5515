import type { Refusals } from './http-error.ts';

/** What only share links are refused for. */
export const shareLinkErrors = {
  shareLinkNotFound: [404, 'Share link not found', 'No share link of this organization has this id.'],
  shareLinkExpired: [410, 'Share link expired', 'The time of this link is over.'],
} as const satisfies Refusals;
