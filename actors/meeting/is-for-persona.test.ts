import { describe, expect, test } from 'vitest';
import type { Said } from '../kernel/inner-events.ts';
import { asksQuestion } from './asks-question.ts';
import { askedOf } from './is-for-persona.ts';
import { NO_MEETING, type MeetingState } from './meeting-state.ts';

const meeting = { displayName: 'Elena (AI)', groupCall: true };
const group: MeetingState = {
  ...NO_MEETING,
  others: [
    { id: 'a', name: 'Alice' },
    { id: 'b', name: 'Bob' },
  ],
};

/** Said by one after the other, a second each, from `at` on. */
function heard(words: readonly (readonly [id: string, text: string])[], at = 100_000) {
  const said = words.map(([id, text], index): Said => ({
    speakers: [id],
    name: id,
    text,
    startedAt: at + index * 1_000,
    endedAt: at + index * 1_000 + 900,
  }));
  return { said, language: 'en', endedAt: said.at(-1)?.endedAt ?? at };
}

describe('who asked the persona', () => {
  test('is nobody where its name was not said', () => {
    expect(askedOf(heard([['a', 'what do you think']]), meeting, group)).toBeNull();
  });

  test('is the last one who said its name, among several who spoke', () => {
    const words = heard([
      ['a', 'Elena what is next'],
      ['b', 'yes Elena tell us'],
      ['a', 'I am curious'],
    ]);
    expect(askedOf(words, meeting, group)).toEqual({ by: ['b'], at: 101_900 });
  });

  test('is nobody where the name was said so long ago that the talk has moved on', () => {
    const talk = Array.from({ length: 17 }, (_, index) => ['b', `point ${index}`] as const);
    expect(askedOf(heard([['a', 'Elena what is next'], ...talk]), meeting, group)).toBeNull();
    expect(askedOf(heard([['a', 'Elena what is next'], ...talk.slice(0, 14)]), meeting, group)).not.toBeNull();
  });

  test('is still the one who waits for an answer, while others speak', () => {
    const asked = { by: ['a'], at: 95_000 };
    expect(askedOf(heard([['b', 'I am not sure']]), meeting, { ...group, asked })).toBe(asked);
    expect(
      askedOf(heard([['b', 'I am not sure']]), meeting, { ...group, asked: { by: ['a'], at: 80_000 } }),
    ).toBeNull();
  });

  test('is everybody in an ordinary session, and alone with the persona', () => {
    const words = heard([['a', 'what do you think']]);
    expect(askedOf({ ...words, said: [] }, null, NO_MEETING)).not.toBeNull();
    expect(askedOf(words, meeting, { ...group, others: group.others.slice(0, 1) })).toEqual({ by: ['a'], at: 100_900 });
    expect(askedOf(words, { ...meeting, groupCall: false }, group)).not.toBeNull();
  });
});

describe('whoever was just answered', () => {
  const answered = { to: ['a'], until: 99_000, askedQuestion: false };
  test.each<[string, readonly [string, string], Partial<typeof answered>, boolean]>([
    ['asks on', ['a', 'and what about Monday'], {}, true],
    ['asks on with a mark', ['a', 'Monday too?'], {}, true],
    ['says something', ['a', 'good then let us go on'], {}, false],
    ['answers a question of the persona', ['a', 'the second one'], { askedQuestion: true }, true],
    ['interrupts the answer', ['a', 'no the other one'], { until: 100_500 }, true],
    ['asks on too late', ['a', 'and what about Monday'], { until: 94_000 }, false],
    ['asks another one', ['a', 'Bob what do you think'], {}, false],
    ['asks another one at the end', ['a', 'what do you think Bob'], { askedQuestion: true }, false],
    ['is not who speaks now', ['b', 'and what about Monday'], {}, false],
    ['is not who interrupts', ['b', 'no the other one'], { until: 100_500 }, false],
  ])('%s', (_, words, more, isMeant) => {
    const asked = askedOf(heard([words]), meeting, { ...group, answered: { ...answered, ...more } });
    expect(asked !== null).toBe(isMeant);
  });
});

test.each([
  ['what is next', true],
  ['and so how does it work', true],
  ['is there more', true],
  ['On Friday?', true],
  ['wie lange dauert das', true],
  ['y cuándo empieza', true],
  ['good let us go on', false],
  ['I know what that is', false],
  ['okay thanks', false],
  ['', false],
])('"%s" asks a question: %s', (text, asks) => {
  expect(asksQuestion(text, null)).toBe(asks);
});
