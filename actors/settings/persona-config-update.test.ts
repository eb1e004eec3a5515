import { describe, expect, test } from 'vitest';
import { VOICE_DETECTION_DEFAULTS } from './voice-options.ts';
import { updatePersonaConfig, type LiveSettings } from './persona-config-update.ts';

const current: LiveSettings = { languageCode: 'en', voiceDetection: VOICE_DETECTION_DEFAULTS, tuning: { speed: 1 } };

describe('a persona_config update', () => {
  test('reports before and after by dotted path', () => {
    expect(
      updatePersonaConfig(
        current,
        {
          languageCode: 'de-AT',
          voiceDetectionOptions: { endOfSpeechSensitivity: 0.9 },
          voiceGenerationOptions: { volume: 1.5 },
        },
        'local',
      ),
    ).toEqual({
      kind: 'accepted',
      settings: {
        languageCode: 'de',
        voiceDetection: { ...VOICE_DETECTION_DEFAULTS, endOfSpeechSensitivity: 0.9 },
        tuning: { speed: 1, volume: 1.5 },
      },
      changed: {
        languageCode: { before: 'en', after: 'de' },
        'voiceDetectionOptions.endOfSpeechSensitivity': { before: 0.5, after: 0.9 },
        'voiceGenerationOptions.volume': { before: null, after: 1.5 },
      },
    });
  });

  test('merges option by option', () => {
    const update = updatePersonaConfig(current, { voiceGenerationOptions: { stability: 0.3 } }, 'local');
    expect(update).toMatchObject({
      settings: { tuning: { speed: 1, stability: 0.3 }, voiceDetection: VOICE_DETECTION_DEFAULTS },
    });
  });

  test('that changes nothing reports no fields', () => {
    expect(updatePersonaConfig(current, { languageCode: 'en' }, 'local')).toMatchObject({
      kind: 'accepted',
      changed: {},
    });
  });

  test('zero is a value: it switches the silence timers off', () => {
    expect(
      updatePersonaConfig(current, { voiceDetectionOptions: { silenceBeforeSkipTurnSeconds: 0 } }, 'local'),
    ).toMatchObject({ settings: { voiceDetection: { silenceBeforeSkipTurnSeconds: 0 } } });
  });

  test('that is empty is ignored', () => {
    expect(updatePersonaConfig(current, {}, 'local')).toEqual({ kind: 'ignored' });
  });

  test.each([
    ['an unknown key', { systemPrompt: 'x' }, 'local', /systemPrompt/],
    ['an unknown option', { voiceDetectionOptions: { magic: 1 } }, 'local', /magic/],
    [
      'a value out of range',
      { voiceDetectionOptions: { silenceBeforeAutoEndTurnSeconds: 0.4 } },
      'local',
      /silenceBeforeAutoEndTurnSeconds/,
    ],
    ['an unknown language', { languageCode: 'tlh' }, 'local', /languageCode/],
    ['text for a number', { voiceGenerationOptions: { speed: 'fast' } }, 'local', /speed/],
    ['a speed that this voice cannot do', { voiceGenerationOptions: { speed: 1.8 } }, 'elevenlabs', /speed/],
    ['null for a group', { voiceDetectionOptions: null }, 'local', /voiceDetectionOptions/],
    ['a list', [], 'local', /object/],
    ['text', 'x', 'local', /object/],
    [
      'one bad field beside good ones',
      { languageCode: 'de', voiceDetectionOptions: { endOfSpeechSensitivity: 2 } },
      'local',
      /endOfSpeechSensitivity/,
    ],
  ] as const)('%s rejects all of it, with the reason', (_, data, family, reason) => {
    expect(updatePersonaConfig(current, data, family)).toEqual({
      kind: 'rejected',
      reason: expect.stringMatching(reason),
    });
  });

  test('the same speed is fine for another voice family', () => {
    expect(updatePersonaConfig(current, { voiceGenerationOptions: { speed: 1.8 } }, 'fish').kind).toBe('accepted');
  });
});
