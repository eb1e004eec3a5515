import { describe, expect, it } from 'vitest';
import { en } from '../language/en.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

/** From knowing that nothing will come to the request of the voice, ms of the simulated clock. */
const MAX_MS = 200;
const APOLOGY = en.sentences.apology;

/**
 * With a broken LLM and a silent user, the persona apologized every 13 s, once for each silence prompt. Each apology
 * went into the history as its own words, so the LLM went on apologizing when it was well again.
 */
describe('an apology', () => {
  it('is heard, and is not in the history', () => {
    const s = new SimulatedSession().connect();
    s.wait(2_000);
    s.engine.answer = () => ({ fails: 'No key.' });
    s.type('Who are you?').wait(8_000);
    expect(s.transcript().at(-1)).toBe(`persona: ${APOLOGY}`);
    s.engine.answer = () => ({ text: 'I am Ada.' });
    s.type('And now?').wait(5_000);
    expect(JSON.stringify(s.engine.questions.at(-1)?.messages)).not.toContain(APOLOGY);
    expect(s.transcript().at(-1)).toBe('persona: I am Ada.');
  });

  it('is not repeated to a user who says nothing', () => {
    const s = new SimulatedSession().connect();
    s.wait(2_000);
    s.engine.answer = () => ({ fails: 'No key.' });
    s.type('Who are you?').wait(120_000);
    expect(s.transcript().filter((line) => line.includes(APOLOGY))).toHaveLength(1);
  });

  // How soon depends on nothing but the voice: whoever waits for an answer is told at once that none will come.
  it.each([
    ['an LLM that fails for good', { fails: 'No key.' }],
    ['an LLM that failed twice', { fails: 'Overloaded.', askAgain: 'for an answer' }],
    ['an answer of nothing', {}],
  ] as const)('begins as soon as it is known that nothing will come: %s', (_what, answer) => {
    const s = new SimulatedSession().connect();
    s.wait(2_000);
    s.engine.answer = () => answer;
    s.type('Who are you?').wait(30_000);
    const known = s.recorded.findLast(({ event }) => /^llm\.(failed|done)$/.test(event.type))!;
    const told = s.commands.find(({ command }) => command.type === 'speech.say' && command.text === APOLOGY)!;
    expect(told.at - known.at).toBeLessThanOrEqual(MAX_MS);
  });
});
