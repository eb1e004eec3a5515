import { z } from 'zod';
import { LLM_FIELDS, LLM_PROVIDERS, SPEECH_FORMAT, speechInput, speechSettings } from '../../../engine/providers.ts';
import { llmPrices } from '../../costs/price-schema.ts';
import { flagQuery, pageQuery, searchQuery } from '../../http/paging.ts';
import { jsonObject, jsonWithin, pastedKey, timestamp, unreadableMark, uuid } from '../../http/schemas.ts';

const llmFormat = z
  .enum([...LLM_PROVIDERS.map(({ id }) => id), 'none', SPEECH_FORMAT])
  .describe(
    '`advanced_voice`: a model that hears and speaks itself, over the Realtime protocol of OpenAI or Gemini Live.',
  );
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).max(4096);
/** Largest metadata object, bytes of JSON. */
const METADATA_LIMIT = 16_384;

const fields = {
  displayName: z.string().trim().min(1).max(255),
  description: z.string().max(2000).nullable(),
  urls: z
    .array(z.object({ url: httpUrl, region: z.string().max(32).optional() }))
    .min(1)
    .max(10),
  url: httpUrl.describe('Replaces the list of URLs by this one.'),
  llmFormat,
  modelName: z.string().trim().min(1).max(255),
  secret: pastedKey()
    .regex(/^[\x20-\x7e]+$/, 'must be one line of ASCII characters: it is sent in a header')
    .describe('Key for the endpoint. Stored encrypted, never returned. A server of your own may need none.'),
  metadata: jsonWithin(METADATA_LIMIT),
  isZdr: z
    .boolean()
    .describe(
      'You declare that the endpoint keeps nothing of what it is sent. Personas with zero data retention need it.',
    ),
  ...LLM_FIELDS,
  speech: speechInput.nullable().describe('Of `advanced_voice`. Null: the defaults. The whole object is replaced.'),
  prices: llmPrices.nullable().describe('What it costs. Null: nobody knows. The whole object is replaced.'),
};

export const createLlm = z
  .object(fields)
  .partial()
  .required({ displayName: true, llmFormat: true, modelName: true })
  .refine((llm) => llm.urls !== undefined || llm.url !== undefined || llm.llmFormat === 'none', {
    path: ['urls'],
    message: 'Required',
  })
  .meta({
    id: 'CreateLlm',
    anyOf: [{ required: ['urls'] }, { required: ['url'] }, { properties: { llmFormat: { const: 'none' } } }],
    examples: [
      {
        displayName: 'House model',
        llmFormat: 'openai',
        urls: [{ url: 'https://llm.example.com/v1' }],
        modelName: 'house-8b',
        secret: 'sk-example',
      },
    ],
  });

export const updateLlm = z.object(fields).partial().meta({ id: 'UpdateLlm' });
export type LlmInput = z.infer<typeof updateLlm>;

export const listLlms = z.object({
  ...pageQuery(),
  search: searchQuery,
  includeDefaults: flagQuery.default(true).describe('Also list the built-in ones.'),
});

export const llmResponse = z
  .object({
    id: uuid,
    displayName: z.string(),
    description: z.string().nullable(),
    llmFormat: z.string(),
    urls: z.array(z.object({ url: z.string(), region: z.string().optional() })),
    modelName: z.string(),
    temperature: z.number().nullable(),
    maxTokens: z.number().int().nullable(),
    deploymentName: z.string().nullable(),
    apiVersion: z.string().nullable(),
    metadata: jsonObject.nullable(),
    displayTags: z.array(z.string()),
    isDefault: z.boolean(),
    isGlobal: z.boolean(),
    isZdr: z.boolean(),
    reasoningEffort: z.string().nullable(),
    reasoningFormat: z.string().nullable(),
    speech: speechSettings.nullable().describe('Of `advanced_voice`; null of all others.'),
    prices: llmPrices
      .nullable()
      .describe('Null: none are set. Those of built-in ones are in the prices of the organization.'),
    createdByOrganizationId: z.string().nullable(),
    createdAt: timestamp,
    updatedAt: timestamp.nullable(),
    unreadable: unreadableMark,
  })
  .meta({ id: 'Llm' });
export type LlmResponse = z.infer<typeof llmResponse>;

export const llmCheck = z.object({
  ok: z.boolean(),
  message: z.string().nullable().describe('What is wrong, when it is not ok.'),
  notes: z.array(z.string()).describe('What the endpoint refused, and what is done about it, a sentence each.'),
});
