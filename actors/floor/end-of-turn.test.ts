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
    punctuates: false,
    personaJustAsked: false,
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
    expect(wait('what time is it', {}, { rhythm: { pauseMs: 900, fluentTurns: 0 } })).toBeGreaterThan(900);
  });

  /**
   * The end-of-turn model alone ended a turn after "I would like to", and alone kept a whole sentence waiting. On people's
   * recordings it takes 41 % of the places between two words for the end, and misses 6 of 9 ends of telephone talk.
   */
  test('the sound has one vote, and the words have one', () => {
    const fluent = { pauseMs: null, fluentTurns: 9 };
    expect(wait('I would like to', {}, { modelProbability: 0.95, rhythm: fluent })).toBeCloseTo(1225, -1);
    expect(wait('I want a table', {}, { modelProbability: 0.05, rhythm: fluent })).toBeCloseTo(1225, -1);
    expect(wait('I want a table', {}, { modelProbability: 0.95, rhythm: fluent })).toBeCloseTo(700, -1);
    expect(wait('I would like to', {}, { modelProbability: 0.05, rhythm: fluent })).toBeCloseTo(1750);
    expect(wait('I want a table', {}, { modelProbability: 0.5, rhythm: fluent })).toBeCloseTo(700, -1);
  });

  test('where both are sure of the end, the answer comes sooner', () => {
    expect(wait('I want a table.', {}, { modelProbability: 0.98, punctuates: true })).toBeCloseTo(420);
    expect(wait('I would like to', {}, { modelProbability: 0.98, punctuates: true })).toBeCloseTo(1225);
  });

  /** "I paid it" and "how much there might be prudently." sounded like whole sentences (0.94), and their pauses were answered. */
  test.each([
    [0, 1_400],
    [1, 1_050],
    [2, 875],
    [-1, 1_400],
  ])('after %d fluent turns, what only seems whole is given %d ms', (fluentTurns, ms) => {
    const signs = { modelProbability: 0.94, punctuates: true, rhythm: { pauseMs: null, fluentTurns } };
    expect(wait('I paid it.', {}, signs)).toBeCloseTo(ms);
  });

  test('a question of a fluent speaker is over, whatever it sounds like', () => {
    const rhythm = { pauseMs: null, fluentTurns: 9 };
    expect(wait('What time is it?', {}, { modelProbability: 0.05, punctuates: true, rhythm })).toBeCloseTo(700, -1);
    expect(wait('What time is it?', {}, { modelProbability: 0.5, punctuates: true })).toBeCloseTo(700);
  });

  /** "Ten of clubs." waited for 1.4 s after the persona's question, where the sound told nothing. */
  test('a short answer to a question of the persona is over, where nothing speaks against it', () => {
    const signs = { modelProbability: 0.6, punctuates: true, personaJustAsked: true };
    expect(wait('Ten of clubs.', {}, signs)).toBeCloseTo(700);
    expect(wait('Tomorrow at five', {}, signs)).toBeCloseTo(700);
    expect(wait('Ten of clubs.', {}, { ...signs, personaJustAsked: false })).toBeCloseTo(1400);
    expect(wait('Ten of clubs.', {}, { ...signs, modelProbability: 0.1 })).toBeCloseTo(1400);
  });

  test.each(['I paid it.', 'And he was gone.', 'My old friend.', 'Ten of clubs and seven of hearts.'])(
    'what may be the beginning of a sentence is no short answer: "%s"',
    (text) => {
      expect(wait(text, {}, { modelProbability: 0.9, punctuates: true, personaJustAsked: true })).toBeCloseTo(1400);
    },
  );

  test('a recognizer that punctuates leaves the full stop out where the sentence goes on', () => {
    expect(wait('I told my fellow workers', {}, { punctuates: true })).toBeCloseTo(1225);
    expect(wait('I told them so myself.', {}, { punctuates: true })).toBeCloseTo(700);
    expect(wait('Ten of clubs', {}, { punctuates: true })).toBeCloseTo(700);
    expect(wait('I told my fellow workers', {}, { punctuates: false })).toBeCloseTo(700);
  });

  test('words that the recognizer is not sure of leave it to the sound', () => {
    expect(wait('and no my fellow', {}, { confidence: 0.3, modelProbability: 0.98 })).toBeCloseTo(700);
    expect(wait('and no my fellow', {}, { confidence: 0.3, modelProbability: 0.9 })).toBeCloseTo(1400);
    expect(wait('and no my fellow', {}, { confidence: 0.3, modelProbability: 0.1 })).toBeCloseTo(1750);
  });

  test('without words nothing speaks against the end', () => {
    const signs = {
      text: ' ',
      language: null,
      modelProbability: null,
      confidence: null,
      punctuates: false,
      personaJustAsked: false,
    };
    expect(seemsOver({ ...signs, rhythm: UNKNOWN_RHYTHM })).toBe(true);
  });
});
