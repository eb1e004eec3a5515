import { describe, expect, test } from 'vitest';
import { UNKNOWN_LEVEL, learnLevel, type SpeakerLevel } from './speaker-level.ts';
import {
  askForFinal,
  finalText,
  isMessage,
  openTurn,
  saysTheSame,
  settleForPartial,
  takeFinal,
  takePartial,
  takeAudio,
  turnText,
  type TurnPlace,
} from './user-turn.ts';

function turn(text: string, place: TurnPlace = 'alone', levelDb = -26) {
  const open = takeAudio(openTurn('c', 0, place), { onsetAt: 0, lastVoicedAt: 500, voicedMs: 500, levelDb });
  return takeFinal(askForFinal(open, 500), text, 'en', 600);
}
const known = learnLevel(
  UNKNOWN_LEVEL,
  { levelDb: -26, where: 'inSilence', from: 0, until: 1_000, words: [] },
  'answered',
);
const company = (speaker: SpeakerLevel) => ({
  speaker,
  mode: 'one-to-one' as const,
  language: 'en',
  personaJustAsked: false,
});

describe('the words of a turn', () => {
  test('of which a pause made several utterances are one text', () => {
    const paused = takePartial(takeFinal(openTurn('c', 0, 'alone'), 'I would like to', 'en', 1), 'change my');
    expect(turnText(paused)).toBe('I would like to change my');
    expect(finalText(paused)).toBe('I would like to');
  });

  test('join without a space where the script has none', () => {
    expect(turnText(takeFinal(takeFinal(openTurn('c', 0, 'alone'), '我想', 'zh', 1), '喝茶', 'zh', 2))).toBe(
      '我想喝茶',
    );
  });

  test('are those of the partial text when the final one never comes', () => {
    expect(
      finalText(settleForPartial(takePartial(askForFinal(openTurn('c', 0, 'alone'), 8), 'what time is it'), 9)),
    ).toBe('what time is it');
  });

  test('ask the same whatever the case and the marks', () => {
    expect(saysTheSame('What time is it?', 'what time is it')).toBe(true);
    expect(saysTheSame('what time is it', 'what time was it')).toBe(false);
  });
});

test('the level of a turn is that of all its sound', () => {
  const two = takeAudio(
    takeAudio(openTurn('c', 0, 'alone'), { onsetAt: 0, lastVoicedAt: 100, voicedMs: 100, levelDb: -30 }),
    {
      onsetAt: 300,
      lastVoicedAt: 600,
      voicedMs: 300,
      levelDb: -26,
    },
  );
  expect(two).toMatchObject({ lastVoicedAt: 600, voicedMs: 400, levelDb: -27 });
});

describe('a message to the persona', () => {
  test.each<[string, TurnPlace]>([
    ['what time is it', 'alone'],
    ['yes', 'alone'],
    ['me', 'alone'],
    ['okay', 'alone'],
    ['a present for my mom', 'alone'],
    ['what about Monday', 'over-persona'],
    ['okay then stop', 'yielded-to-words'],
  ])('"%s", %s', (text, place) => {
    expect(isMessage(turn(text, place), company(UNKNOWN_LEVEL))).toBe(true);
  });

  test.each<[string, TurnPlace]>([
    ['', 'alone'],
    ['um', 'alone'],
    ['hm', 'alone'],
    ['Ummm', 'alone'],
    ['ähm', 'alone'],
    ['euh', 'alone'],
    ['oh', 'alone'],
    ['mm-hm yeah', 'over-persona'],
    ['right', 'yielded-to-voice'],
    ['okay', 'yielded-to-words'],
    ['what about Monday', 'not-for-floor'],
    ['one second honey', 'over-persona'],
  ])('"%s", %s, is none', (text, place) => {
    expect(isMessage(turn(text, place), company(UNKNOWN_LEVEL))).toBe(false);
  });

  test('is not what somebody says from across the room', () => {
    expect(isMessage(turn('what time is it', 'alone', -40), company(known))).toBe(false);
    expect(isMessage(turn('what time is it', 'alone', -30), company(known))).toBe(true);
  });

  test('or in a group, is whatever people say to each other', () => {
    const group = { ...company(known), mode: 'group' as const };
    for (const text of ['one second honey', 'what time is it'])
      expect(isMessage(turn(text, 'alone', -40), group)).toBe(true);
    expect(isMessage(turn('hm', 'alone'), group)).toBe(false);
  });
});
