import { describe, expect, test } from 'vitest';
import { VOICE_DETECTION_DEFAULTS } from '../settings/voice-options.ts';
import { endOfTurnWaitMs, seemsOver, type EndOfTurnSigns } from './end-of-turn.ts';
import { UNKNOWN_RHYTHM } from './pause-rhythm.ts';

function wait(
  text: string,
  more: Partial<EndOfTurnSigns['detection']> = {},
  signs: Partial<EndOfTurnSigns> = {},
): number {
  return endOfTurnWaitMs({
    detection: { ...VOICE_DETECTION_DEFAULTS, silenceBeforeAutoEndTurnSeconds: 10, ...more },
    text,
    language: 'en',
    modelProbability: null,
    confidence: null,
    rhythm: UNKNOWN_RHYTHM,
    ...signs,
  });
}

/** First words collide when an agent starts while the user only takes a breath. */
describe('how long a pause is waited out', () => {
  test.each([
    [0, 1200],
    [0.25, 950],
    [0.5, 700],
    [1, 200],
  ])('sensitivity %d waits %d ms after a whole sentence', (endOfSpeechSensitivity, ms) => {
    expect(wait('what time is it', { endOfSpeechSensitivity })).toBeCloseTo(ms);
  });

  test('half a sentence waits two and a half times as long', () => {
    expect(wait('I would like to', { endOfSpeechSensitivity: 0.5 })).toBeCloseTo(1750);
  });

  test('but never longer than silenceBeforeAutoEndTurnSeconds', () => {
    expect(wait('I would like to', { endOfSpeechSensitivity: 0, silenceBeforeAutoEndTurnSeconds: 0.5 })).toBe(500);
  });

  test('a speaker who is known to pause is given the time', () => {
    expect(wait('what time is it', {}, { rhythm: { pauseMs: 900 } })).toBeGreaterThan(900);
  });

  test('the verdict about the sound counts more than the look of the words', () => {
    expect(wait('I would like to', {}, { modelProbability: 0.95 })).toBeCloseTo(700);
    expect(wait('what time is it', {}, { modelProbability: 0.05 })).toBeCloseTo(1750);
    expect(wait('what time is it', {}, { modelProbability: 0.5 })).toBeCloseTo(700);
  });

  test('without words nothing speaks against the end', () => {
    expect(seemsOver({ text: ' ', language: null, modelProbability: null })).toBe(true);
  });
});
