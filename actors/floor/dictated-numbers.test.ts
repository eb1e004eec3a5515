import { describe, expect, it } from 'vitest';
import { SimulatedSession } from '../testing/simulated-session.ts';

/**
 * "My phone number is 555 …" was cut off after each group, because a recognizer that writes numerals was taken to write a
 * number at once: three messages, three LLM requests, and the persona began to speak twice on top of the user. Written in
 * words it was waited for.
 */
describe('a number that is dictated in groups is one message', () => {
  it.each([
    ['my phone number is 555', '123', '4567'],
    ['my phone number is five five five', 'one two three', 'four five six seven'],
    ['my card number is 4111 1111', '1111', '1111'],
  ])('"%s" … "%s" … "%s"', (...groups) => {
    const s = new SimulatedSession().connect().wait(500);
    for (const group of groups) s.speak(group, 900).wait(900);
    s.wait(3_000);
    expect(s.transcript()).toEqual([`user: ${groups.join(' ')}`, 'persona: All right.']);
    expect(s.engine.heard).toHaveLength(1);
  });
});
