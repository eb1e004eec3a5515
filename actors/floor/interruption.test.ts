import { describe, expect, test } from 'vitest';
import { judge, type Overlap } from './interruption.ts';
import { UNKNOWN_LEVEL } from './speaker-level.ts';

function overlap(text: string, more: Partial<Overlap> = {}): Overlap {
  return {
    voicedMs: 600,
    voice: 'on',
    text,
    textIsFinal: false,
    language: 'en',
    confidence: null,
    levelDb: -26,
    from: 60_000,
    pausedMs: null,
    speaker: UNKNOWN_LEVEL,
    partialsKnown: true,
    mode: 'one-to-one',
    ...more,
  };
}
const over = { voice: 'over', textIsFinal: true } as const;

/**
 * Users of self-hosted agents ask above all for this: "haan", "hmm" and "yeah" stop the agent, or barge-in has to be
 * switched off. The voice is lowered at the first sound; words decide whether it stops.
 */
describe('a sign of listening does not stop the persona', () => {
  test.each(['mm-hm', 'yeah', 'okay', 'right right', 'oh really', 'got it', '[laughter]'])('"%s"', (text) => {
    expect(judge(overlap(text))).toBe('wait');
    expect(judge(overlap(text, over))).toBe('keep');
  });

  test('half of one is waited for', () => {
    expect(judge(overlap('got', { voice: 'over', voicedMs: 460 }))).toBe('wait');
  });

  test.each(['oh two', 'and right', 'it okay'])('one of which a word was misheard: "%s"', (text) => {
    expect(judge(overlap(text, { ...over, voicedMs: 550 }))).toBe('keep');
  });
});

describe('an interruption stops it', () => {
  test.each([
    'stop',
    'wait',
    'no wait',
    'yeah but',
    'okay stop',
    'can you repeat that',
    'what about Monday',
    'never mind',
  ])('"%s"', (text) => {
    expect(judge(overlap(text))).toBe('words');
  });

  test('without waiting for the final text', () => {
    expect(judge(overlap('what about', { voicedMs: 320 }))).toBe('words');
  });

  test('a command however short', () => {
    expect(judge(overlap('stop', { voicedMs: 200 }))).toBe('words');
  });

  test('a long sound, where the recognizer gives no words while one speaks', () => {
    expect(judge(overlap('', { voicedMs: 800, partialsKnown: false }))).toBe('voice');
    expect(judge(overlap('', { voicedMs: 800, partialsKnown: true }))).toBe('wait');
    expect(judge(overlap('', { voicedMs: 1700 }))).toBe('voice');
  });
});

describe('other sounds do not stop it', () => {
  test('a cough without words', () => {
    expect(judge(overlap('', { voicedMs: 250 }))).toBe('wait');
    expect(judge(overlap('', { voicedMs: 250, ...over }))).toBe('keep');
  });

  test('a cough that the recognizer took for a small word', () => {
    expect(judge(overlap('the', { voicedMs: 300, ...over }))).toBe('keep');
  });

  test('somebody far from the microphone, whatever is said', () => {
    expect(
      judge(
        overlap('did you feed the cat', {
          levelDb: -40,
          speaker: { usualDb: -26, utterances: 3, variesDb: 0, softer: null },
          ...over,
        }),
      ),
    ).toBe('keep');
  });

  test('a command that was said across the room, that may be a noise, or that others get', () => {
    const speaker = { usualDb: -26, utterances: 3, variesDb: 0, softer: null };
    expect(judge(overlap('stop', { levelDb: -39, speaker, ...over }))).toBe('keep');
    expect(judge(overlap('stop', { levelDb: -36, speaker, confidence: 0.4, ...over }))).toBe('keep');
    expect(judge(overlap('wait for me outside', { levelDb: -36, speaker, ...over }))).toBe('keep');
  });

  // The offline recognizer heard "stall" until the voice was over, and "stop" a little later. By then the word had been dropped as
  // somebody else's: "Stop, please. Tell me …" stopped the persona after 1.4 s, with its third phrase.
  test('but a soft word that may be a command is waited for', () => {
    const speaker = { usualDb: -16, utterances: 1, variesDb: 0, softer: null };
    const soft = { levelDb: -27.6, voicedMs: 480, voice: 'over', speaker } as const;
    expect(judge(overlap('stall', soft))).toBe('wait');
    // Nothing follows it. The final text of a busy machine came 0.8 s later.
    expect(judge(overlap('stop', { ...soft, voice: 'on' }))).toBe('wait');
    expect(judge(overlap('stop', soft))).toBe('words');
    expect(judge(overlap('stop', { ...soft, textIsFinal: true }))).toBe('words');
    expect(judge(overlap('stall', { ...soft, textIsFinal: true }))).toBe('keep');
    expect(judge(overlap('stall', { ...soft, levelDb: -30 }))).toBe('keep');
  });

  test('words to somebody else in the room', () => {
    expect(judge(overlap('I am on a call'))).toBe('wait');
    expect(judge(overlap("I'll be right there honey", over))).toBe('keep');
  });
});
