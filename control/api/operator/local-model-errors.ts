import type { Refusals } from '../../errors/http-error.ts';

/** What only local models are refused for. */
export const localModelErrors = {
  localModelNotFound: [404, 'Local model not found', 'No model has this id.'],
  localModelsAreOff: [
    409,
    'Local models are off',
    'This deployment does not use neural models on its machine: PARLEY_LOCAL_MODELS is "off".',
  ],
} as const satisfies Refusals;
