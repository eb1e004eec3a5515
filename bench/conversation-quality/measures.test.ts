import { describe, expect, test } from 'vitest';
import { measure, type Conversation, type UserEvent } from './measures.ts';

/** A conversation of 20 s; times in seconds. */
function conversation(
  events: readonly (readonly [UserEvent['kind'], number, number])[],
  persona: readonly (readonly [number, number])[],
  ducked: readonly (readonly [number, number])[] = [],
): Conversation {
  const spans = (list: readonly (readonly [number, number])[]) =>
    list.map(([start, end]) => ({ start: start * 1000, end: end * 1000 }));
  return {
    name: 'golden',
    lengthMs: 20_000,
    missed: 0,
    events: events.map(([kind, start, end]) => ({ kind, startMs: start * 1000, endMs: end * 1000, pauses: [] })),
    persona: { spans: spans(persona), ducked: spans(ducked) },
  };
}

describe('interaction measures by their published definitions', () => {
  test('L_R and R_R: from the end of a turn to the answer, if it comes before the user speaks again', () => {
    const measures = measure(
      [
        conversation(
          [
            ['turn', 1, 3],
            ['turn', 10, 11],
          ],
          [[4, 6]],
        ),
      ],
      'audible',
    );
    expect(measures).toMatchObject({ responseLatency: 1, responseRate: { good: 1, of: 2 } });
  });

  test('L_Y and R_Y: the persona stops within 2 s of an interruption', () => {
    const measures = measure(
      [conversation([['interruption', 5, 6]], [[2, 5.6]]), conversation([['interruption', 5, 6]], [[2, 7.6]])],
      'audible',
    );
    expect(measures).toMatchObject({ yieldRate: { good: 1, of: 2 } });
    expect(measures.yieldLatency).toBeCloseTo(0.6);
  });

  test('I_A: the persona begins while the user speaks', () => {
    expect(measure([conversation([['turn', 1, 4]], [[2, 8]])], 'audible').interruptions.good).toBe(1);
    expect(measure([conversation([['turn', 1, 4]], [[5, 8]])], 'audible').interruptions.good).toBe(0);
  });

  test.each(['backchannel', 'tic', 'side-talk'] as const)(
    '%s: stopping within 1 s is an error, later is none',
    (kind) => {
      const key = kind === 'side-talk' ? 'sideTalk' : kind;
      expect(measure([conversation([[kind, 5, 5.4]], [[2, 5.8]])], 'audible')[key]).toEqual({ good: 0, of: 1 });
      expect(measure([conversation([[kind, 5, 5.4]], [[2, 6.5]])], 'audible')[key]).toEqual({ good: 1, of: 1 });
    },
  );

  test.each(['tic', 'side-talk'] as const)('%s in silence: an answer within 2 s is an error', (kind) => {
    const key = kind === 'side-talk' ? 'sideTalk' : kind;
    expect(measure([conversation([[kind, 5, 5.4]], [[6.5, 9]])], 'audible')[key]).toEqual({ good: 0, of: 1 });
    expect(measure([conversation([[kind, 5, 5.4]], [[9, 10]])], 'audible')[key]).toEqual({ good: 1, of: 1 });
  });

  test('a lowered voice goes on, unless it is counted as stopping', () => {
    const lowered = conversation([['backchannel', 5, 5.4]], [[2, 9]], [[5.2, 6.1]]);
    expect(measure([lowered], 'audible').backchannel).toEqual({ good: 1, of: 1 });
    expect(measure([lowered], 'silent').backchannel).toEqual({ good: 0, of: 1 });
  });

  test('a pause in mid-sentence is no end of the turn, and who takes it is counted', () => {
    const paused = conversation([['turn', 1, 5]], [[2.6, 6]]);
    const withPause = {
      ...paused,
      events: [{ kind: 'turn' as const, startMs: 1000, endMs: 5000, pauses: [{ startMs: 2000, endMs: 3000 }] }],
    };
    expect(measure([withPause], 'audible')).toMatchObject({
      pausesTaken: { good: 1, of: 1 },
      interruptions: { good: 0 },
    });
  });
});
