import { SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';
import { createRestartAnswers, MAX_DELAY_MS } from './ice-restart-answers.ts';

/**
 * A firewall drops UDP for 15 s; signaling works. The public client restarted ICE at 7.7 s, got its answer at once, and
 * tried again every 2 s. It gave the session up 13.8 s into the outage, although it could have waited longer.
 */
function restartAnswers(heard: { at: number | null }) {
  const clock = new SimulatedClock();
  const answered: [string, number][] = [];
  const answers = createRestartAnswers({ heardAt: () => heard.at, timers: clock });
  /** In steps: the clock fires due timers at the end of a step. */
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 50) clock.increment(50);
  };
  return {
    pass,
    clock,
    answers,
    answered,
    offer: (name: string, kind: 'first' | 'restart' | 'replacement') =>
      answers.give(kind, () => answered.push([name, clock.now()])),
  };
}

describe('an answer is given at once', () => {
  it('to a first offer, to the first restart of an outage, and to a client that was heard after the last answer', () => {
    const heard = { at: null as number | null };
    const { pass, answered, offer } = restartAnswers(heard);
    offer('first', 'first');
    heard.at = 50;
    pass(20_000);
    offer('restart', 'restart');
    heard.at = 20_050;
    pass(5_000);
    offer('another', 'restart');
    expect(answered).toEqual([
      ['first', 0],
      ['restart', 20_000],
      ['another', 25_000],
    ]);
  });

  it('to a client that comes with another peer connection', () => {
    const { pass, answered, offer } = restartAnswers({ at: null });
    offer('first', 'first');
    pass(5_000);
    offer('reloaded', 'replacement');
    expect(answered).toEqual([
      ['first', 0],
      ['reloaded', 5_000],
    ]);
  });
});

describe('an answer that cannot help yet', () => {
  it('waits until the client is heard', () => {
    const heard = { at: 0 as number | null };
    const { pass, clock, answered, offer } = restartAnswers(heard);
    pass(7_700);
    offer('attempt 1', 'restart');
    pass(2_000);
    offer('attempt 2', 'restart');
    pass(1_000);
    expect(answered).toEqual([['attempt 1', 7_700]]);
    heard.at = clock.now();
    pass(50);
    expect(answered).toEqual([
      ['attempt 1', 7_700],
      ['attempt 2', 10_750],
    ]);
  });

  it('is given before the client gives up', () => {
    const { pass, answered, offer } = restartAnswers({ at: null });
    offer('attempt 1', 'restart');
    pass(2_000);
    offer('attempt 2', 'restart');
    pass(10_000);
    expect(answered).toEqual([
      ['attempt 1', 0],
      ['attempt 2', 2_000 + MAX_DELAY_MS],
    ]);
  });

  it('is not given at all once there is a newer offer, or the session is over', () => {
    const { pass, answers, answered, offer } = restartAnswers({ at: null });
    offer('attempt 1', 'restart');
    pass(2_000);
    offer('attempt 2', 'restart');
    pass(1_000);
    offer('attempt 3', 'restart');
    pass(MAX_DELAY_MS);
    expect(answered.map(([name]) => name)).toEqual(['attempt 1', 'attempt 3']);
    pass(2_000);
    offer('attempt 4', 'restart');
    answers.close();
    pass(10_000);
    expect(answered).toHaveLength(2);
  });
});
