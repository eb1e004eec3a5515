import type { Examples } from '../../http/resource.ts';
import { localModelErrors } from './local-model-errors.ts';
import type { LocalModelResponse } from './local-model-schema.ts';

const voice: LocalModelResponse = {
  id: 'kitten-en',
  kind: 'voice',
  title: 'Kitten nano 0.8, English',
  languages: ['en'],
  bytes: 32_505_856,
  license: 'Apache-2.0',
  notice: null,
  home: 'https://github.com/KittenML/KittenTTS',
  suggested: true,
  state: 'absent',
  received: null,
  problem: null,
};

export const localModelExamples: Examples = {
  'GET /v1/local-models': { answer: { data: [voice], restart: 'none' } },
  'POST /v1/local-models/{id}/fetch': {
    answer: { ...voice, state: 'fetching', received: 0 },
    refusals: [localModelErrors.localModelNotFound, localModelErrors.localModelsAreOff],
  },
};
