import { describe, expect, it } from 'vitest';
import { SimulatedSession } from '../testing/simulated-session.ts';

/** A recognizer that takes `finalMs` for a final text. */
function begin(finalMs: number): SimulatedSession {
  return new SimulatedSession({ delays: { finalMs } }).connect().wait(500);
}

const users = (s: SimulatedSession): string[] => s.transcript().filter((line) => line.startsWith('user: '));

/**
 * On a starved machine the recognizer of a session needed 4 s for a text that nobody waits longer than 3 s for. The
 * turn was dropped as a mere sound, the words came and were thrown away, and the user was never answered.
 */
describe('words that come late', () => {
  it('are answered when they come', () => {
    const s = begin(4_000).speak('my name is robert', undefined, { partials: false }).wait(4_000);
    expect(users(s)).toEqual([]);
    s.wait(6_000);
    expect(users(s)).toEqual(['user: my name is robert']);
    expect(s.transcript().at(-1)).toMatch(/^persona: /);
  });

  it('are one message with what the user is saying by then', () => {
    const s = begin(4_000).speak('my name is robert', undefined, { partials: false }).wait(3_700);
    s.speak('did you hear me').wait(10_000);
    expect(users(s)).toEqual(['user: my name is robert did you hear me']);
  });

  it('of two turns in a row are not mixed up', () => {
    const s = begin(7_000).speak('my name is robert', undefined, { partials: false }).wait(5_000);
    s.speak('what is your name', undefined, { partials: false }).wait(20_000);
    expect(users(s)).toEqual(['user: my name is robert', 'user: what is your name']);
  });

  it('are no news when the turn was decided on the partial text, nor are they taken for those of the next turn', () => {
    const s = begin(5_000).speak('my name is robert').wait(4_200);
    expect(users(s)).toEqual(['user: my name is robert']);
    s.speak('what is your name').wait(20_000);
    expect(users(s)).toEqual(['user: my name is robert', 'user: what is your name']);
  });

  it('that are no words change nothing', () => {
    const s = begin(4_000).speak('hm', 300, { partials: false }).wait(20_000);
    expect(users(s)).toEqual([]);
  });

  it('of a pause in which the user went on belong to the turn, also when they come in the next pause', () => {
    const s = begin(700).speak('book a table', undefined, { partials: false }).wait(550);
    // The text was asked for before the end of the wait; the user goes on, and pauses again just before it comes.
    s.speak('for two', 200, { partials: false }).wait(10_000);
    expect(users(s)).toEqual(['user: book a table for two']);
  });
});
