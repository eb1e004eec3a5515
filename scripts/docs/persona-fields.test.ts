import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { personaFields } from './persona-fields.ts';

it('the console knows the fields of a persona as the API takes them (npm run docs)', () => {
  expect(readFileSync(new URL('../../web/src/api/persona-fields.json', import.meta.url), 'utf8')).toBe(personaFields());
});

it('a voice has the options that its service uses, with their ranges', () => {
  const { voiceOptions } = JSON.parse(personaFields()) as { voiceOptions: Record<string, Record<string, object>> };
  expect(voiceOptions['ELEVENLABS']).toMatchObject({ speed: { minimum: 0.7, maximum: 1.2 }, stability: {} });
  expect(Object.keys(voiceOptions['LOCAL'] ?? {})).toEqual(['speed', 'volume']);
});
