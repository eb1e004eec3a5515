import { expect, it } from 'vitest';
import { countText, genderText, languagesText, serviceName, sizeText, timeText } from './voice-wording.ts';

it('names a few languages and counts the others', () => {
  expect(languagesText(null)).toBe('Any language');
  expect(languagesText(['de'])).toBe('German');
  expect(languagesText(['de', 'en', 'fr'])).toBe('German, English, French');
  expect(languagesText(['de', 'en', 'fr', 'it', 'es'])).toBe('German, English, French and 2 more');
});

it('writes services, genders, counts and sizes as people do', () => {
  expect([serviceName('LOCAL'), serviceName('ELEVENLABS'), serviceName('NEW_ONE')]).toEqual([
    'This machine',
    'ElevenLabs',
    'NEW_ONE',
  ]);
  expect([genderText('female'), genderText(null)]).toEqual(['Female', null]);
  expect([countText(1), countText(0), countText(42)]).toEqual(['1 voice', '0 voices', '42 voices']);
  expect([timeText(7.9), timeText(150)]).toEqual(['0:07', '2:30']);
  expect([sizeText(4_240_000), sizeText(52_428_800)]).toEqual(['4.2 MB', '52 MB']);
});
