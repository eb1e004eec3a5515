import { describe, expect, test } from 'vitest';
import { isSideTalk, type Heard } from './side-talk.ts';
import { UNKNOWN_LEVEL } from './speaker-level.ts';

function heard(text: string, more: Partial<Heard> = {}): Heard {
  return { text, language: 'en', levelDb: -26, speaker: UNKNOWN_LEVEL, where: 'inSilence', ...more };
}

describe('speech that is not meant for the persona', () => {
  test.each([
    'one second honey',
    'mom I am busy',
    "I'm on a call",
    'I am on a call right now',
    'just put it on the table',
  ])('"%s"', (text) => {
    expect(isSideTalk(heard(text))).toBe(true);
  });

  test('asking to wait wants no answer in silence, and stops the persona while it speaks', () => {
    expect(isSideTalk(heard('just a minute'))).toBe(true);
    expect(isSideTalk(heard('just a minute', { where: 'overSpeech' }))).toBe(false);
    expect(isSideTalk(heard('just a minute of your time'))).toBe(false);
  });

  test('anything from far away', () => {
    expect(isSideTalk(heard('what time is it', { levelDb: -40, speaker: { usualDb: -26 } }))).toBe(true);
  });
});

test.each(['what time is it', 'call my mother please', 'I was in a meeting yesterday', 'put two tickets in the cart'])(
  '"%s" is meant for it',
  (text) => {
    expect(isSideTalk(heard(text))).toBe(false);
  },
);
