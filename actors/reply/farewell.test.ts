import { describe, expect, it } from 'vitest';
import { systemTool, webhookTool } from '../testing/session-config.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

const FAREWELL = 'Okay, it was lovely to talk to you today, I will end the call now, take care.';
const OBJECTION = 'no wait I have one more question about the price';
const GOODBYE = 'persona: Thank you for talking with me. Goodbye!';

/** The user says goodbye, and the LLM's own farewell is being spoken. */
function farewell(): SimulatedSession {
  const s = new SimulatedSession({ config: { tools: [systemTool('end_call')] } }).connect();
  s.engine.answer = ({ messages }) =>
    /bye/.test(messages.at(-1)?.content ?? '')
      ? { text: FAREWELL, calls: [{ name: 'end_call', args: { confirmed: true } }] }
      : { text: 'Of course.' };
  return s.wait(500).speak('okay bye').wait(2_500);
}

function toolOutputs(s: SimulatedSession): string[] {
  return (s.engine.questions.at(-1)?.messages ?? []).flatMap((message) =>
    message.role === 'tool' ? [message.content] : [],
  );
}

/**
 * "I still had a question, and it hung up." The LLM had called `end_call` and said its farewell. The user interrupted
 * that, but the goodbye had taken the place of everything in the queue: the persona said it, ended the call, and the
 * user's words were in neither transcript nor history. Only the goodbye itself is uninterruptible.
 */
describe('an objection during the farewell', () => {
  it.each([
    ['spoken', (s: SimulatedSession) => s.speak(OBJECTION)],
    ['typed', (s: SimulatedSession) => s.type(OBJECTION)],
  ])('keeps the call and is answered (%s)', (_, object) => {
    const s = farewell();
    object(s).wait(12_000);
    expect(s.performed('session.close')).toEqual([]);
    expect(s.transcript()).not.toContain(GOODBYE);
    expect(s.transcript().at(-1)).toBe('persona: Of course.');
    expect(s.reports('message').map(({ message }) => message.text)).toContain(OBJECTION);
  });

  it('lets the LLM know that the call was not ended', () => {
    const s = farewell().speak(OBJECTION).wait(3_000);
    expect(toolOutputs(s)).toEqual([expect.stringContaining('Not ended: the user spoke')]);
    expect(s.engine.questions.at(-1)?.messages.at(-1)).toEqual({ role: 'user', content: OBJECTION });
  });

  it('is no obstacle to a later end', () => {
    const s = farewell().speak(OBJECTION).wait(6_000).speak('okay now bye').wait(14_000);
    expect(s.transcript().at(-1)).toBe(GOODBYE);
    expect(s.performed('session.close')).toMatchObject([{ reason: 'end_call' }]);
  });

  it('also keeps the call when it could not interrupt, because a tool ran', () => {
    const s = new SimulatedSession({
      config: { tools: [systemTool('end_call'), webhookTool('save', { disableInterruptions: true })] },
      delays: { toolMs: 2_000 },
    }).connect();
    s.engine.answer = (_question, index) =>
      index === 0
        ? { text: FAREWELL, calls: [{ name: 'save' }, { name: 'end_call', args: { confirmed: true } }] }
        : { text: 'Of course.' };
    s.type('bye').wait(1_500).type(OBJECTION).wait(12_000);
    expect(s.transcript()).toEqual([`persona: ${FAREWELL}`, 'persona: Of course.']);
    expect(s.performed('session.close')).toEqual([]);
  });
});

describe('the end of the call', () => {
  it('comes after the farewell and the goodbye if nobody objects', () => {
    const s = farewell().wait(12_000);
    expect(s.transcript()).toEqual(['user: okay bye', `persona: ${FAREWELL}`, GOODBYE]);
    expect(s.performed('session.close')).toMatchObject([{ reason: 'end_call' }]);
  });

  /** What is said during the goodbye is not answered. But it was said, and the transcript has it. */
  it('does not lose the words that are spoken during the goodbye', () => {
    const s = farewell();
    s.wait(4_200);
    expect(s.transcript().at(-1)).toMatch(/^persona: Thank you/);
    s.speak('bye bye then', 400).wait(8_000);
    expect(s.performed('session.close')).toMatchObject([{ reason: 'end_call' }]);
    expect(s.reports('message').map(({ message }) => message.text)).toContain('bye bye then');
  });
});

/** The user went on before the pause had begun. It began all the same, and the persona knew nothing of it. */
it('a pause does not begin if the user interrupts the words before it', () => {
  const s = new SimulatedSession({ config: { tools: [systemTool('pause_conversation')] } }).connect();
  s.engine.answer = (_question, index) =>
    index === 0
      ? {
          text: 'All right, take all the time that you need, I will wait for you.',
          calls: [{ name: 'pause_conversation' }],
        }
      : { text: 'Of course.' };
  s.wait(500).speak('give me ten minutes').wait(2_500).speak('no wait tell me the price first').wait(6_000);
  expect(s.transcript().at(-1)).toBe('persona: Of course.');
  expect(toolOutputs(s)).toEqual([expect.stringContaining('Not paused: the user spoke')]);
});
