import { createActor } from 'xstate';
import { describe, expect, it } from 'vitest';
import type { InnerEvent } from '../kernel/inner-events.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import { SteppingClock } from '../kernel/stepping-clock.ts';
import { vadMachine } from './vad-machine.ts';

const WINDOW_MS = 32;

/**
 * @param probabilities of 32 ms windows, one after the other; a level may be given beside, and how much of it is loud.
 */
function listen(probabilities: readonly (number | readonly [number, number, number?])[]): InnerEvent[] {
  const clock = new SteppingClock();
  const told: InnerEvent[] = [];
  const env = {
    now: () => clock.now(),
    tell: (event: InnerEvent) => told.push(event),
    join: () => {},
  } as unknown as SessionEnvironment;
  const actor = createActor(vadMachine, { input: { env }, clock });
  actor.start();
  for (const entry of probabilities) {
    clock.advance(WINDOW_MS);
    const [probability, levelDb, loudMs] = typeof entry === 'number' ? [entry, -25] : entry;
    actor.send({ type: 'vad.window', probability, levelDb, endsAt: clock.now(), loudMs });
  }
  clock.advance(1_000);
  return told;
}

const times = (count: number, probability: number) => Array.from({ length: count }, () => probability);

describe('when a voice begins and ends', () => {
  it('a click of one window is nothing', () => {
    expect(listen([0.7, 0.1, 0.1, 0.1])).toEqual([]);
  });

  it('two windows are a suspicion that fades', () => {
    expect(listen([0.7, 0.7, 0.1, 0.1, 0.1]).map((event) => event.type)).toEqual(['vad.suspected', 'vad.faded']);
  });

  it('one window that leaves no doubt is a suspicion at once', () => {
    expect(listen([0.98, 0.1, 0.1, 0.1]).map((event) => event.type)).toEqual(['vad.suspected', 'vad.faded']);
  });

  it('three windows are a voice, from its first sample on', () => {
    const told = listen([...times(4, 0.01), ...times(3, 0.8), ...times(8, 0.01)]);
    expect(told.map((event) => event.type)).toEqual(['vad.suspected', 'vad.started', 'vad.stopped']);
    expect(told[1]).toMatchObject({ onsetAt: 4 * WINDOW_MS });
  });

  it('the end counts back to the last voiced sample', () => {
    const told = listen([...times(10, 0.9), ...times(8, 0.01)]);
    expect(told.at(-1)).toMatchObject({
      type: 'vad.stopped',
      onsetAt: 0,
      lastVoicedAt: 10 * WINDOW_MS,
      voicedMs: 10 * WINDOW_MS,
    });
  });

  it('the last voiced sample may lie inside a window, or before one that only remembers the voice', () => {
    const told = listen([...times(9, 0.9), [0.9, -30, 12], [0.6, -45, 0], ...times(8, 0.01)]);
    expect(told.at(-1)).toMatchObject({ lastVoicedAt: 9 * WINDOW_MS + 12, voicedMs: 11 * WINDOW_MS });
  });

  it('a soft stretch and a closure after it do not end it', () => {
    const told = listen([
      ...times(9, 0.9),
      ...Array.from({ length: 4 }, () => [0.6, -45, 0] as const),
      ...times(3, 0.01),
      ...times(5, 0.9),
      ...times(8, 0.01),
    ]);
    expect(told.filter((event) => event.type === 'vad.stopped')).toHaveLength(1);
  });

  it('a dip between the two thresholds does not end it, one below both does not either if it is short', () => {
    const told = listen([
      ...times(5, 0.9),
      0.4,
      0.4,
      ...times(5, 0.9),
      0.1,
      0.1,
      0.1,
      ...times(5, 0.9),
      ...times(8, 0.01),
    ]);
    expect(told.filter((event) => event.type === 'vad.stopped')).toHaveLength(1);
  });

  it('the middle of the scale is not enough to begin or to resume', () => {
    expect(listen(times(20, 0.45))).toEqual([]);
    const told = listen([...times(5, 0.9), ...times(2, 0.1), ...times(10, 0.45)]);
    expect(told.at(-1)).toMatchObject({ type: 'vad.stopped', lastVoicedAt: 5 * WINDOW_MS });
  });

  it('reverberation far below the voice does not extend it', () => {
    const told = listen([
      ...times(10, 0.9),
      ...Array.from({ length: 4 }, () => [0.6, -80] as const),
      ...times(6, 0.01),
    ]);
    expect(told.at(-1)).toMatchObject({ type: 'vad.stopped', lastVoicedAt: 10 * WINDOW_MS });
  });

  it('when no more windows come the voice has stopped', () => {
    expect(listen(times(10, 0.9)).at(-1)).toMatchObject({ type: 'vad.stopped', lastVoicedAt: 10 * WINDOW_MS });
  });
});
