import { describe, expect, it } from 'vitest';
import { webhookTool } from '../testing/session-config.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

/** An LLM that books what the user said last, and thinks for a while before it does. */
function bookings(text = ''): SimulatedSession {
  const s = new SimulatedSession({
    config: { tools: [webhookTool('book')] },
    delays: { llmFirstTokenMs: 1_200 },
  }).connect();
  s.engine.answer = ({ messages }) => {
    const last = messages.at(-1);
    return last?.role === 'user'
      ? { text, calls: [{ name: 'book', args: { text: last.content } }] }
      : { text: 'Booked.' };
  };
  return s.wait(500);
}

const booked = (s: SimulatedSession) => s.performed('tool.run').map(({ args }) => args['text']);

/**
 * "It booked two tables." The user corrected the request while the LLM was thinking about it. The speech of that answer
 * waited for the floor, but its tool call did not: it ran half a second into the correction, which then led to a second
 * one. What is generated for a request is pending until the first audio, and a user who resumes cancels all of it.
 */
describe('a call of a tool, while the user corrects the request', () => {
  it.each([600, 900, 1_100])('is made once, for the corrected request (%s ms after the first one)', (pause) => {
    const s = bookings().speak('book a table for two').wait(pause).speak('no wait for four people please', 1_900);
    expect(booked(s)).toEqual([]);
    s.wait(12_000);
    expect(booked(s)).toEqual([expect.stringContaining('no wait for four people please')]);
    expect(s.messages('toolCallStarted')).toHaveLength(1);
    expect(s.transcript().at(-1)).toBe('persona: Booked.');
  });

  it('is no trace in the history if it was not made', () => {
    const s = bookings().speak('book a table for two').wait(900).speak('no wait for four people please', 1_900);
    s.wait(12_000).type('thanks').wait(100);
    const calls = s.engine.questions.at(-1)?.messages.filter((message) => message.role === 'tool');
    expect(calls).toHaveLength(1);
  });

  it('waits through a cough, and is made then', () => {
    const s = bookings().speak('book a table for two').wait(900).cough(600);
    expect(booked(s)).toEqual([]);
    s.wait(1_500);
    expect(booked(s)).toEqual(['book a table for two']);
    expect(s.wait(3_000).transcript().at(-1)).toBe('persona: Booked.');
  });

  it('waits through a backchannel to the words before it', () => {
    const s = bookings();
    s.engine.answer = (_question, index) => (index === 0 ? { afterMs: 1e7 } : { text: 'Booked.' });
    s.type('book a table for two');
    const requestId = s.performed('llm.request')[0]?.requestId ?? '';
    s.dispatch({ type: 'llm.text', requestId, text: 'Sure, I will book that table for you right away. One moment.' });
    s.wait(500).speak('mm-hm', 350);
    s.dispatch({ type: 'llm.toolCall', requestId, call: { id: '0', name: 'book', arguments: '{}' } });
    s.dispatch({ type: 'llm.done', requestId });
    expect(booked(s)).toEqual([]);
    s.wait(8_000);
    expect(booked(s)).toHaveLength(1);
    expect(s.performed('speech.cut')).toEqual([]);
    expect(s.transcript()).toEqual(['persona: Sure, I will book that table for you right away. One moment. Booked.']);
  });

  it('does not wait if nobody speaks', () => {
    const s = bookings().type('book a table for two').wait(1_250);
    expect(booked(s)).toEqual(['book a table for two']);
  });

  /** Only speech of the user is waited for: who asked for something and went away gets it. */
  it('is made while the client is away', () => {
    const s = bookings().type('book a table for two').wait(600);
    s.dispatch({ type: 'peer.quiet' });
    s.wait(1_000);
    expect(booked(s)).toEqual(['book a table for two']);
  });
});
