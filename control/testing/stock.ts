import { type Catalogue, stockId } from '../catalogue/catalogue.ts';

/** Ids of what every organization of a test service can use. */
export const STOCK = {
  avatar: stockId('avatar', 'test-one'),
  oldAvatar: stockId('avatar', 'test-old'),
  voice: stockId('voice', 'test-voice'),
  cloudVoice: stockId('voice', 'test-cloud'),
  llm: stockId('llm', 'test-llm'),
  deprecatedLlm: stockId('llm', 'test-deprecated'),
};

/** A PNG of one pixel. */
export const IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export const testCatalogue: Catalogue = {
  defaultVoiceId: STOCK.voice,
  defaultLlmId: STOCK.llm,
  isZdr: { stt: true, embeddings: false },
  recognizers: [
    { id: 'deepgram', languages: ['en', 'de'] },
    { id: 'openai', languages: 'any' },
  ],
  recognizedLanguages: 'any',
  voices: [
    {
      id: STOCK.voice,
      displayName: 'Test Voice',
      description: null,
      provider: 'LOCAL',
      engineProvider: 'LOCAL',
      family: 'local',
      providerVoiceId: 'slt',
      providerModelId: null,
      sample: null,
      gender: 'female',
      country: 'US',
      languages: 'any',
      ownLanguages: ['en'],
      displayTags: [],
      isZdr: true,
    },
    {
      id: STOCK.cloudVoice,
      displayName: 'Cloud Voice',
      description: null,
      provider: 'ELEVENLABS',
      engineProvider: 'ELEVENLABS',
      family: 'elevenlabs',
      providerVoiceId: 'abc',
      providerModelId: null,
      sample: null,
      gender: null,
      country: null,
      languages: ['en', 'de'],
      ownLanguages: ['en', 'de'],
      displayTags: [],
      isZdr: false,
    },
  ],
  avatars: [
    {
      id: STOCK.avatar,
      displayName: 'Test Face',
      variantName: 'desk',
      engineKey: 'test-one',
      models: ['cara-3', 'cara-4', 'cara-4-latest'],
      description: 'Friendly',
      displayTags: ['friendly', 'desk', 'woman'],
      renderStyle: 'illustrated',
      image: async () => ({ bytes: IMAGE, contentType: 'image/png' }),
    },
    {
      id: STOCK.oldAvatar,
      displayName: 'Old Face',
      variantName: '',
      engineKey: 'test-old',
      models: ['cara-2'],
      description: null,
      displayTags: [],
      renderStyle: 'realistic',
      image: async () => null,
    },
  ],
  llms: [
    {
      id: STOCK.llm,
      aliases: ['SERVICE_TEST_V1'],
      displayName: 'Test LLM',
      description: null,
      llmFormat: 'openai',
      modelName: 'test',
      displayTags: [],
      isZdr: true,
      deprecated: false,
    },
    {
      id: STOCK.deprecatedLlm,
      aliases: [],
      displayName: 'Old LLM',
      description: null,
      llmFormat: 'openai',
      modelName: 'old',
      displayTags: [],
      isZdr: false,
      deprecated: true,
    },
  ],
};
