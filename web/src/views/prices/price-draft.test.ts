import { expect, it } from 'vitest';
import type { PricesResponse } from '../../../../control/api/organization/prices-schema.ts';
import { llmPriceDraftOf, llmPricesOf, priceDraftOf, pricesOf } from './price-draft.ts';

const HOUSE = {
  input: 0.25,
  cachedInput: null,
  cacheWrite: null,
  output: 2,
  audioInput: null,
  cachedAudioInput: null,
  audioOutput: null,
};
const prices: PricesResponse = {
  currency: 'EUR',
  conversationMinute: null,
  recognizers: { deepgram: 0.0077, gone: 0.1 },
  voices: {},
  llms: { 'openai m': HOUSE },
  providers: { recognizers: ['deepgram', 'openai'], voices: ['cartesia'], llms: ['openai m', 'openai n'] },
  updatedAt: null,
};

it('has a field for each provider, also for one that is gone', () => {
  const draft = priceDraftOf(prices);
  expect(draft.recognizers).toEqual({ deepgram: '0.0077', openai: '', gone: '0.1' });
  expect(draft.voices).toEqual({ cartesia: '' });
  expect(Object.keys(draft.llms)).toEqual(['openai m', 'openai n']);
});

it('sends what was set, and nothing of what was not', () => {
  const { providers: _, updatedAt: __, ...set } = prices;
  expect(pricesOf(priceDraftOf(prices))).toEqual(set);
  const draft = priceDraftOf(prices);
  expect(pricesOf({ ...draft, recognizers: { deepgram: '', gone: '0' } }).recognizers).toEqual({ gone: 0 });
});

it('has no prices of an LLM where all fields are empty', () => {
  expect(llmPricesOf(llmPriceDraftOf(null))).toBeNull();
  expect(llmPricesOf(llmPriceDraftOf(HOUSE))).toEqual(HOUSE);
});
