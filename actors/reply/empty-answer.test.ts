import { describe, expect, it } from 'vitest';
import { en } from '../language/en.ts';
import type { FakeAnswer } from '../testing/fake-engine.ts';
import { webhookTool } from '../testing/session-config.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

const APOLOGY = `persona: ${en.sentences.apology}`;
const warnings = (s: SimulatedSession) => s.performed('signal.warning').map(({ code }) => code);

function ask(...answers: FakeAnswer[]): SimulatedSession {
  const s = new SimulatedSession({ config: { tools: [webhookTool('light')] } }).connect();
  s.engine.answer = (_question, index) => answers[index] ?? {};
  return s.type('turn on the light').wait(8_000);
}

/**
 * "Sometimes it just does not answer." Models end an answer without a word, or write only code, which is not spoken. The
 * persona was silent, and nobody was told: the user asked again, the operator saw nothing.
 */
describe('an answer with nothing that can be spoken', () => {
  it.each([
    ['nothing', {}],
    ['only spaces', { text: '  \n' }],
    ['only code', { text: '```\nlight.on()\n```' }],
    ['only reasoning', { text: '<think>The light.</think>' }],
  ])('is apologized for, with a warning: %s', (_, answer) => {
    const s = ask(answer);
    expect(s.transcript()).toEqual([APOLOGY]);
    expect(warnings(s)).toEqual(['llm_empty_answer']);
  });

  it('is all right after a call: the LLM may have said and done all', () => {
    const s = ask({ text: 'I turn it on.', calls: [{ name: 'light' }] }, {});
    expect(s.transcript()).toEqual(['persona: I turn it on.']);
    expect(warnings(s)).toEqual([]);
    expect(warnings(ask({ calls: [{ name: 'light' }] }, {}))).toEqual([]);
  });

  it('is left out where the user has not asked, with the warning', () => {
    const s = new SimulatedSession({
      config: { greeting: { skip: false, initialMessage: null, uninterruptible: false } },
    });
    s.engine.answer = () => ({});
    s.connect().wait(5_000);
    expect(s.transcript()).toEqual([]);
    expect(warnings(s)).toEqual(['llm_empty_answer']);
  });
});
