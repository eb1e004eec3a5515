import { describe, expect, it } from 'vitest';
import { MARK } from '../testing/mark.ts';
import { clientTool, systemTool, webhookTool } from '../testing/session-config.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';
import type { ToolDefinition } from '../session-config.ts';

const CHECKING = 'Let me check.';
const SUNNY = 'persona: It is sunny.';

/**
 * An LLM with a tool that takes 5 s. It tells the result when it has it: in the same reply, or when it is asked about a
 * result that came late.
 */
function weather(tools: readonly ToolDefinition[] = [webhookTool('weather')]): SimulatedSession {
  const s = new SimulatedSession({ config: { tools }, delays: { toolMs: 5_000 } }).connect();
  s.engine.toolOutcome = () => ({ output: 'sunny' });
  s.engine.answer = ({ messages }) => {
    const last = messages.at(-1);
    const isKnown = messages.some(({ role, content }) => role === 'tool' && content === 'sunny');
    if (last?.role === 'tool' || last?.content.startsWith(MARK.instruction) === true)
      return { text: isKnown ? 'It is sunny.' : '' };
    if (/stop/.test(last?.content ?? '')) return { text: 'All right.' };
    if (/pause/.test(last?.content ?? '')) return { calls: [{ name: 'pause_conversation' }] };
    return /weather/.test(last?.content ?? '')
      ? { text: CHECKING, calls: [{ name: 'weather' }] }
      : { text: "You're welcome." };
  };
  return s.wait(500).speak('how is the weather').wait(2_500);
}

const asksAboutResult = (s: SimulatedSession) =>
  s.engine.questions.filter(({ messages }) => messages.at(-1)?.content.includes('its result is above') === true);

/**
 * "It said that it would look, and that was it." While a tool ran, the user said "okay, thank you". That interrupted the
 * reply which waited for the result, so nobody ever told the result. The contract leaves it to the service whether the
 * result of an interrupted turn is spoken: the LLM is asked, which knows what the user wants.
 */
describe('the result of a tool, after the user has interrupted the reply that waited for it', () => {
  it('is told as soon as the persona is idle and the user silent, once', () => {
    const s = weather().speak('okay thank you').wait(15_000);
    expect(s.transcript()).toEqual([
      'user: how is the weather',
      `persona: ${CHECKING}|`,
      'user: okay thank you',
      "persona: You're welcome.",
      SUNNY,
    ]);
    expect(asksAboutResult(s)).toHaveLength(1);
    expect(s.performed('tool.run')).toHaveLength(1);
    expect(s.messages('toolCallCompleted')).toHaveLength(1);
  });

  it('waits until the user has finished, and is not told again if the answer has it', () => {
    const s = weather().speak('okay thank you').wait(2_000);
    expect(s.messages('toolCallCompleted')).toEqual([]);
    s.speak('and by the way what is the time in new york right now', 4_000);
    expect(s.messages('toolCallCompleted')).toHaveLength(1);
    s.wait(15_000);
    expect(asksAboutResult(s)).toEqual([]);
    expect(JSON.stringify(s.engine.questions.at(-1)?.messages)).toContain('sunny');
  });

  it('is not told when the LLM has nothing to say about it, and nobody is warned', () => {
    const s = weather();
    const { answer } = s.engine;
    s.engine.answer = (question, index) => (asksAboutResult(s).length > 0 ? {} : answer(question, index));
    s.speak('okay thank you').wait(15_000);
    expect(asksAboutResult(s)).toHaveLength(1);
    expect(s.transcript().at(-1)).toBe("persona: You're welcome.");
    expect(s.performed('signal.warning')).toEqual([]);
  });

  it('is told, too, if the tool failed', () => {
    const s = weather();
    s.engine.toolOutcome = () => ({ error: 'status 500' });
    s.speak('okay thank you').wait(1_000);
    s.dispatch({ type: 'tool.failed', callId: s.performed('tool.run')[0]?.callId ?? '', message: 'status 500' });
    s.wait(5_000);
    expect(asksAboutResult(s)).toHaveLength(1);
  });

  it('is not told during a pause', () => {
    const s = weather([webhookTool('weather'), systemTool('pause_conversation')])
      .speak('please pause now')
      .wait(15_000);
    expect(s.messages('toolCallCompleted').map(({ data }) => data.tool_name)).toContain('weather');
    expect(asksAboutResult(s)).toEqual([]);
  });

  it('is not told after the application has stopped the persona', () => {
    const s = weather();
    s.dispatch({ type: 'client.interrupt' });
    s.wait(15_000);
    expect(s.messages('toolCallCompleted')).toHaveLength(1);
    expect(asksAboutResult(s)).toEqual([]);
  });

  it('is not asked about if it is of a tool of the client', () => {
    const s = weather([clientTool('weather')])
      .speak('okay thank you')
      .wait(15_000);
    expect(asksAboutResult(s)).toEqual([]);
  });

  it('waits while the client is away', () => {
    const s = weather().speak('okay thank you').wait(1_500);
    s.dispatch({ type: 'peer.quiet' });
    s.wait(6_000);
    expect(s.transcript()).not.toContain(SUNNY);
    s.dispatch({ type: 'peer.flowing', quietMs: 6_000 });
    s.wait(5_000);
    expect(s.transcript().at(-1)).toBe(SUNNY);
  });
});

/**
 * The same history said "Let me check. [interrupted]" of words that were heard to their end. Models then say them again.
 * The reply was interrupted, these words were not.
 */
describe('what the LLM reads of an interrupted reply', () => {
  const heardBefore = (s: SimulatedSession) =>
    s.engine.questions.at(-1)?.messages.flatMap(({ role, content }) => (role === 'assistant' ? [content] : []));

  it('is without the mark if every word was heard, and the LLM had written all', () => {
    const s = weather().speak('okay thank you').wait(1_500);
    expect(heardBefore(s)).toEqual([CHECKING]);
  });

  it('has the mark if the LLM was still writing', () => {
    const s = new SimulatedSession().connect();
    s.engine.answer = (_question, index) => (index === 0 ? { afterMs: 1e7 } : {});
    s.type('tell me').wait(100);
    const requestId = s.performed('llm.request')[0]?.requestId ?? '';
    s.dispatch({ type: 'llm.text', requestId, text: 'Whales are mammals. They' });
    s.wait(3_000).type('okay').wait(400);
    expect(heardBefore(s)).toEqual(['Whales are mammals. [interrupted]']);
  });
});
