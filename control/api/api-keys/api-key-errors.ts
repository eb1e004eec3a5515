import type { Refusals } from '../../errors/http-error.ts';

/** What only API keys are refused for. */
export const apiKeyErrors = {
  apiKeyNotFound: [404, 'API key not found', 'No API key of this organization has this id.'],
  ownApiKey: [
    409,
    'API key is in use',
    'This request was made with this very key. Revoke it with another one, so that nobody locks themselves out.',
  ],
} as const satisfies Refusals;
