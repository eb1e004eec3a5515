import { EXAMPLE_LLM_PRICES } from '../../costs/price-examples.ts';
import type { Examples } from '../../http/resource.ts';
import type { OrganizationResponse } from './organization-schema.ts';
import type { PricesResponse } from './prices-schema.ts';
import type { TranscriptionResponse } from './transcription-schema.ts';

const transcription: TranscriptionResponse = {
  languageCode: 'de',
  recognizer: 'deepgram',
  keyTerms: ['Brightwater', 'Zsófia'],
  recognizers: [
    { id: 'openai', languages: 'any' },
    { id: 'deepgram', languages: ['de', 'en', 'fr'] },
  ],
  updatedAt: '2026-11-21T00:55:09.774Z',
};

const prices: PricesResponse = {
  currency: 'USD',
  conversationMinute: 0.002,
  recognizers: { deepgram: 0.0077 },
  voices: { elevenlabs: 50 },
  llms: {
    'openai gpt-5-mini': EXAMPLE_LLM_PRICES,
  },
  providers: { recognizers: ['deepgram'], voices: ['elevenlabs'], llms: ['openai gpt-5-mini'] },
  updatedAt: '2026-11-21T00:55:09.774Z',
};

export const organizationExamples: Examples = {
  'GET /v1/organization': {
    answer: { id: '3a0d4c2e-5b56-4b7f-9b51-52a6f2a3c9d1', name: 'Brightwater' } satisfies OrganizationResponse,
  },
  'GET /v1/organization/transcription': { answer: transcription },
  'PUT /v1/organization/transcription': {
    request: { languageCode: 'de', recognizer: 'deepgram', keyTerms: ['Brightwater', 'Zsófia'] },
    answer: transcription,
  },
  'GET /v1/organization/prices': { answer: prices },
  'PUT /v1/organization/prices': {
    request: { currency: 'USD', recognizers: { deepgram: 0.0077 }, voices: { elevenlabs: 50 } },
    answer: prices,
  },
};
