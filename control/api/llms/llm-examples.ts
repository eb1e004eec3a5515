import { ERRORS } from '../../errors/http-error.ts';
import { metaOf } from '../../http/paging.ts';
import { EXAMPLE_LLM_PRICES } from '../../costs/price-examples.ts';
import type { Examples } from '../../http/resource.ts';
import type { LlmResponse } from './llm-schema.ts';

const houseModel: LlmResponse = {
  id: '2609c0ef-21e5-4de3-a68a-4cf80e1bfc35',
  displayName: 'House model',
  description: null,
  llmFormat: 'openai',
  urls: [{ url: 'https://llm.example.com/v1' }],
  modelName: 'house-8b',
  temperature: 0.4,
  maxTokens: null,
  deploymentName: null,
  apiVersion: null,
  metadata: null,
  displayTags: [],
  isDefault: false,
  isGlobal: false,
  isZdr: false,
  reasoningEffort: null,
  reasoningFormat: null,
  speech: null,
  prices: EXAMPLE_LLM_PRICES,
  createdByOrganizationId: '315c11d9-80a9-4d65-b0cd-b24f8ab748d8',
  createdAt: '2026-11-21T00:55:09.774Z',
  updatedAt: '2026-11-21T00:55:09.774Z',
};

export const llmExamples: Examples = {
  'DELETE /v1/llms/{id}': { refusals: [ERRORS.inUse] },
  'GET /v1/llms': { answer: { data: [houseModel], meta: metaOf({ page: 1, perPage: 10 }, 3) } },
  'POST /v1/llms': { answer: { ...houseModel, temperature: null, updatedAt: null } },
  'GET /v1/llms/{id}': { answer: houseModel },
  'PUT /v1/llms/{id}': { request: { temperature: 0.4 }, answer: houseModel },
  'POST /v1/llms/{id}/check': {
    answer: {
      ok: true,
      message: null,
      notes: ['It takes one tool call in a message: calls that were made together are sent one by one.'],
    },
  },
};
