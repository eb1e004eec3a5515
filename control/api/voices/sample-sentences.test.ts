import { expect, it } from 'vitest';
import { LANGUAGE_CODES } from '../../../actors/settings/languages.ts';
import { sampleSentence } from './sample-sentences.ts';

it('has a sentence in every language that a persona can speak', () => {
  expect(LANGUAGE_CODES.filter((code) => sampleSentence(code).language !== code)).toEqual([]);
});

it('lets a voice of any language, or of one without a sentence, speak English', () => {
  expect(sampleSentence(null)).toEqual(sampleSentence('en'));
  expect(sampleSentence('xx')).toEqual(sampleSentence('en'));
});
