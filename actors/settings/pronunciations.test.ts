import { expect, it } from 'vitest';
import { updatePersonaConfig } from './persona-config-update.ts';
import { VOICE_DETECTION_DEFAULTS } from './voice-options.ts';

const update = (pronunciations: unknown, before: readonly { word: string; say: string }[] = []) =>
  updatePersonaConfig(
    { languageCode: 'en', voiceDetection: VOICE_DETECTION_DEFAULTS, tuning: { pronunciations: before } },
    { voiceGenerationOptions: { pronunciations } },
    'elevenlabs',
  );
const ONE = { word: 'SQL', say: 'sequel' };

it('pronunciations can change during a session, and the same ones again change nothing', () => {
  expect(update([ONE])).toMatchObject({ kind: 'accepted', settings: { tuning: { pronunciations: [ONE] } } });
  expect(update([ONE], [ONE])).toHaveProperty('changed', {});
});

it.each([
  ['too many', Array.from({ length: 101 }, () => ONE)],
  ['an empty word', [{ word: ' ', say: 'x' }]],
  ['a word that is too long', [{ word: 'x'.repeat(65), say: 'x' }]],
  ['nothing to say', [{ word: 'x' }]],
  ['a map', { SQL: 'sequel' }],
])('%s is refused', (_what, pronunciations) => {
  expect(update(pronunciations)).toMatchObject({ kind: 'rejected' });
});
