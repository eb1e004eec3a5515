import { expect, it } from 'vitest';
import { draftOf, inputOf } from './llm-draft.ts';

it('leaves out an empty key, so that the stored one stays, and empties other fields', () => {
  const draft = { ...draftOf(null), displayName: 'House', url: 'https://llm.example.com', modelName: 'm' };
  expect(inputOf(draft)).toEqual({
    displayName: 'House',
    description: null,
    llmFormat: 'openai',
    url: 'https://llm.example.com',
    modelName: 'm',
    isZdr: false,
    temperature: null,
    maxTokens: null,
    deploymentName: null,
    apiVersion: null,
    speech: null,
    prices: null,
  });
  expect(inputOf({ ...draft, secret: 's', temperature: '0', maxTokens: '300' })).toMatchObject({
    secret: 's',
    temperature: 0,
    maxTokens: 300,
  });
});

it('sends the voice and who owns the turn only of models that speak', () => {
  const speech = {
    protocol: 'openai' as const,
    voice: 'cedar',
    turns: 'semantic_vad' as const,
    transcriptionModel: 'whisper-1',
  };
  const draft = { ...draftOf(null), speech };
  expect(inputOf(draft).speech).toBeNull();
  expect(inputOf({ ...draft, llmFormat: 'advanced_voice' }).speech).toEqual(speech);
  expect(draftOf(null).speech).toMatchObject({ voice: 'marin', turns: 'parley' });
});
