import { describe, expect, it } from 'vitest';
import { webhookTool } from '../testing/session-config.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

/**
 * The persona was asked something and thought. What the user said meanwhile was judged as if it was said over a voice:
 * "yes" was a sign of listening, and words 6 dB softer than usual were those of somebody else. Nobody talks over a
 * persona that is not heard.
 */
describe('while the persona thinks in silence', () => {
  function thinking(first: string, second: string): SimulatedSession {
    const s = new SimulatedSession({ delays: { llmFirstTokenMs: 1_500 } }).connect().wait(500);
    s.engine.answer = () => ({ text: first });
    s.speak('a table for two').wait(6_000);
    s.engine.answer = () => ({ text: second });
    return s;
  }

  it('"yes" to its last question arrives', () => {
    const s = thinking('Shall I book it?', 'Booked.')
      .speak('well let me think')
      .wait(900)
      .speak('yes', 350)
      .wait(6_000);
    expect(s.transcript().slice(2)).toEqual(['user: well let me think', 'user: yes', 'persona: Booked.']);
  });

  it('softer words that go on with the sentence arrive', () => {
    const s = thinking('Where?', 'Booked.').speak('book a table for two').wait(900);
    s.speak('in the garden if possible', 1_600, { levelDb: -31 }).wait(6_000);
    expect(s.transcript().slice(2)).toEqual([
      'user: book a table for two',
      'user: in the garden if possible',
      'persona: Booked.',
    ]);
  });

  it('a hum still is no message', () => {
    const s = thinking('Where?', 'Booked.').speak('book a table for two').wait(900).speak('hm', 300).wait(6_000);
    expect(s.transcript().slice(2)).toEqual(['user: book a table for two', 'persona: Booked.']);
  });
});

describe('while a tool runs in silence', () => {
  function booking(text: string): SimulatedSession {
    const s = new SimulatedSession({ config: { tools: [webhookTool('book')] }, delays: { toolMs: 6_000 } }).connect();
    s.engine.answer = (question) =>
      question.messages.at(-1)?.role === 'tool'
        ? { text: 'Booked.' }
        : question.messages.at(-1)?.content === 'book it'
          ? { text, calls: [{ name: 'book' }] }
          : { text: 'Noted.' };
    return s.wait(500).speak('book it').wait(4_000);
  }

  it('"okay" does not stop what is being made', () => {
    const s = booking('One moment.').speak('okay', 400).wait(8_000);
    expect(s.transcript()).toEqual(['user: book it', 'persona: One moment. Booked.']);
  });

  it('"okay" answers a question that was asked before', () => {
    const s = booking('Shall I add it to your calendar?').speak('okay', 400).wait(8_000);
    expect(s.transcript()).toContain('user: okay');
  });
});
