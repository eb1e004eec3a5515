import { expect, it } from 'vitest';
import { SimulatedSession } from '../testing/simulated-session.ts';

const ANSWER = 'There are seven things to say about this, and the first one is rather long indeed.';

function answered(): SimulatedSession {
  const s = new SimulatedSession({ delays: { llmFirstTokenMs: 50, voiceFirstAudioMs: 50 } }).connect();
  s.engine.answer = () => ({ text: ANSWER });
  return s.wait(500).speak('hello there').wait(9_000).speak('I paid it', 900, { delayMs: 100 });
}

/**
 * "I paid it" looked and sounded whole, and its answer began just before "… with my old card". The persona talked on for 1.6 s,
 * because a recognizer that reads again and again has no word before.
 */
it('a user who goes on right after the turn had not finished: the persona stops at the voice', () => {
  const s = answered().wait(1_200);
  const begun = s.clock.now();
  s.speak('with my old card', 2_000, { delayMs: 1_500 }).wait(9_000);
  expect((s.timesOf('speech.cut')[0] ?? Infinity) - begun).toBeLessThan(450);
  expect(s.transcript().filter((line) => line.startsWith('user'))).toEqual([
    'user: hello there',
    'user: I paid it',
    'user: with my old card',
  ]);
});

it('later, the persona waits for words', () => {
  const s = answered().wait(2_500);
  const begun = s.clock.now();
  s.speak('with my old card', 2_000, { delayMs: 1_500 }).wait(9_000);
  expect((s.timesOf('speech.cut')[0] ?? Infinity) - begun).toBeGreaterThan(1_000);
});

it('"mm-hm" right at the beginning of the answer takes nothing from it', () => {
  const s = answered().wait(1_200).speak('mm-hm', 400).wait(12_000);
  expect(s.transcript().at(-1)).toBe(`persona: ${ANSWER}`);
});
