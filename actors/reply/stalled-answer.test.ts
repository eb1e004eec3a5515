import { describe, expect, it } from 'vitest';
import { webhookTool } from '../testing/session-config.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

const said = (s: SimulatedSession) => s.performed('speech.say').map(({ text }) => text);

/** A user who has asked, and an LLM whose stream the test writes. */
function asked(ask: (s: SimulatedSession) => void = (s) => s.type('how is the weather')) {
  const s = new SimulatedSession({ config: { tools: [webhookTool('weather')] } }).connect();
  s.engine.answer = (_question, index) => (index === 0 ? { afterMs: 1e7 } : { text: 'It is sunny.' });
  ask(s.wait(500));
  const requestId = s.performed('llm.request')[0]?.requestId ?? '';
  return {
    s,
    write: (text: string) => s.dispatch({ type: 'llm.text', requestId, text }),
    call: () => s.dispatch({ type: 'llm.toolCall', requestId, call: { id: '0', name: 'weather', arguments: '{}' } }),
    end: () => s.dispatch({ type: 'llm.done', requestId }),
  };
}

/**
 * "It says nothing for three seconds and then that it will look." An LLM writes a sentence and then the arguments of a
 * call, which are text for seconds. The sentence was kept back until more text or the end of the stream showed that it
 * was one: the words that should bridge the wait came after it.
 */
describe('an answer that stalls after a sentence', () => {
  it('is spoken so far, while the LLM writes the arguments of a call', () => {
    const { s, write, call, end } = asked();
    write('Let me check that for you.');
    expect(said(s.wait(200))).toEqual([]);
    expect(said(s.wait(100))).toEqual(['Let me check that for you.']);
    s.wait(2_000);
    call();
    end();
    s.wait(6_000);
    expect(s.transcript()).toEqual(['persona: Let me check that for you. It is sunny.']);
  });

  it('is spoken at once when a call comes', () => {
    const { s, write, call } = asked();
    write('Let me check that for you.');
    call();
    expect(said(s)).toEqual(['Let me check that for you.']);
  });

  it.each(['Let me check', 'It costs 3.', 'I saw Dr.'])('waits where the sentence may go on: %s', (text) => {
    const { s, write, end } = asked();
    write(text);
    expect(said(s.wait(3_000))).toEqual([]);
    end();
    expect(said(s)).toEqual([text]);
  });

  it('waits for the next words if they come without a pause', () => {
    const { s, write, end } = asked();
    for (const word of ['It ', 'costs ', 'three. ', 'or ', 'so.']) {
      write(word);
      s.wait(200);
    }
    end();
    expect(said(s)).toEqual(['It costs three.', 'or so.']);
  });

  it('goes on after the pause without a seam in the transcript', () => {
    const { s, write, end } = asked();
    write('Whales are mammals.');
    s.wait(1_000);
    write(' They breathe air.');
    end();
    s.wait(6_000);
    expect(s.transcript()).toEqual(['persona: Whales are mammals. They breathe air.']);
  });

  it('is spoken as soon as the turn is decided, if it stalled before', () => {
    const { s, write } = asked((before) => before.speak('how is the weather').wait(250));
    write('Let me check that for you.');
    s.wait(10_000);
    const decided = s.commands.find(
      ({ command }) =>
        command.type === 'message.send' &&
        command.message.messageType === 'speechText' &&
        command.message.data.role === 'user',
    );
    expect(s.timesOf('speech.say')[0]).toBe(decided?.at);
    expect(said(s)).toEqual(['Let me check that for you.']);
  });
});
