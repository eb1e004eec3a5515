import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { noteSpeaking, whoSpoke, wordWasTrueAt, type LoudSpan } from './who-spoke.ts';

type Talk = readonly [id: string, from: number, to: number];

/** What the page tells of people who talk: late or early by `skew`, and the end 300 ms later. */
function told(talks: readonly Talk[], skew = 0): readonly LoudSpan[] {
  const messages = talks.flatMap(([id, from, to]) => [
    { id, speaking: true, at: from + skew },
    { id, speaking: false, at: to + skew + 300 },
  ]);
  return messages
    .toSorted((one, other) => one.at - other.at)
    .reduce<readonly LoudSpan[]>((spans, { id, speaking, at }) => noteSpeaking(spans, id, speaking, at), []);
}
const NEVER = 1e6;

describe('who spoke', () => {
  test.each<[string, readonly Talk[], readonly [number, number], readonly string[]]>([
    ['one person', [['a', 0, 2_000]], [0, 2_000], ['a']],
    ['nobody who is known', [], [0, 2_000], []],
    ['somebody whose track is silent, beside a cough', [['b', 500, 700]], [0, 3_000], []],
    ['a short word', [['a', 5_000, 5_300]], [5_000, 5_300], ['a']],
    [
      'the second of two in a row',
      [
        ['a', 0, 2_000],
        ['b', 2_700, 4_000],
      ],
      [2_700, 4_000],
      ['b'],
    ],
    [
      'two in one go, in the order in which they began',
      [
        ['b', 0, 1_800],
        ['a', 1_900, 3_900],
      ],
      [0, 3_900],
      ['b', 'a'],
    ],
    [
      'one, with the "yeah" of another in between',
      [
        ['a', 0, 3_000],
        ['b', 1_500, 1_900],
      ],
      [0, 3_000],
      ['a'],
    ],
  ])('%s', (_, talks, [from, to], ids) => {
    for (const skew of [-200, 0, 200]) expect(whoSpoke(told(talks, skew), [{ from, to }], NEVER)).toEqual(ids);
  });

  test('somebody who still speaks', () => {
    expect(whoSpoke([{ id: 'a', from: 100, to: Infinity }], [{ from: 100, to: 900 }], 900)).toEqual(['a']);
  });

  test('is not whoever has music on, or a fan: a track that is never quiet', () => {
    const spans: readonly LoudSpan[] = [
      { id: 'fan', from: 0, to: Infinity },
      { id: 'a', from: 100_000, to: 102_000 },
    ];
    expect(whoSpoke(spans, [{ from: 100_000, to: 102_000 }], 103_000)).toEqual(['a']);
    // Better than nobody.
    expect(whoSpoke(spans, [{ from: 110_000, to: 112_000 }], 113_000)).toEqual(['fan']);
  });

  // In a run on a starved machine, "he was not an ill" was said by Alice and "disposed young man" by "Someone".
  test('is the only one who spoke around it, where the page told of it seconds late', () => {
    const sentence: readonly LoudSpan[] = [{ id: 'a', from: 0, to: 1_200 }];
    expect(whoSpoke(sentence, [{ from: 1_900, to: 3_100 }], NEVER)).toEqual(['a']);
    const late: readonly LoudSpan[] = [{ id: 'a', from: 5_000, to: 6_200 }];
    expect(whoSpoke(late, [{ from: 1_900, to: 3_100 }], NEVER)).toEqual(['a']);
    expect(whoSpoke([...sentence, { id: 'b', from: 4_000, to: 5_500 }], [{ from: 1_900, to: 3_100 }], NEVER)).toEqual(
      [],
    );
    expect(whoSpoke(sentence, [{ from: 4_300, to: 5_500 }], NEVER)).toEqual([]);
  });

  test('takes turns of several people apart, whatever the skew', () => {
    const turn = fc.record({
      id: fc.constantFrom('a', 'b', 'c'),
      ms: fc.integer({ min: 300, max: 8_000 }),
      gap: fc.integer({ min: 600, max: 3_000 }),
    });
    fc.assert(
      fc.property(
        fc.array(turn, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: -200, max: 200 }),
        (turns, skew) => {
          let at = 1_000;
          const talks = turns.map(({ id, ms, gap }): Talk => {
            const from = at;
            at += ms + gap;
            return [id, from, from + ms];
          });
          const spans = told(talks, skew);
          for (const [id, from, to] of talks) expect(whoSpoke(spans, [{ from, to }], NEVER)).toEqual([id]);
        },
      ),
    );
  });

  test('is known of the newest voices only, and messages that repeat or have no beginning change nothing', () => {
    let spans: readonly LoudSpan[] = [];
    for (let at = 0; at < 1_000; at += 1) spans = noteSpeaking(spans, `p${at}`, true, at);
    expect(spans).toHaveLength(200);
    expect(spans.at(-1)).toEqual({ id: 'p999', from: 999, to: Infinity });
    expect(noteSpeaking(spans, 'p999', true, 2_000)).toEqual(spans);
    expect(noteSpeaking(spans, 'p0', false, 2_000)).toEqual(spans);
  });
});

describe('when the word of the page was true', () => {
  test.each([
    ['while the sound is in time: when it came', 10_000, 9_960, 10_000],
    ['while the sound is late: when the sound was spoken that comes with it', 10_000, 9_300, 9_380],
    ['where there is no sound to go by: when it came', 10_000, 7_000, 10_000],
  ])('%s', (_, now, heardUntil, expected) => {
    expect(wordWasTrueAt(now, heardUntil)).toBe(expected);
  });
});
