import type { Refusals } from '../errors.ts';

/** What only widgets are refused for. */
export const widgetErrors = {
  originNotAllowed: [403, 'Origin not allowed', 'The persona does not allow its widget on this web site.'],
} as const satisfies Refusals;
