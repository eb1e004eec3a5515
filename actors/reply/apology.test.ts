import { describe, expect, it } from 'vitest';
import { en } from '../language/en.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

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
});
