import { describe, expect, it } from 'vitest';
import { MARK } from '../testing/mark.ts';
import { systemTool, webhookTool } from '../testing/session-config.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

const STORY = 'Whales are mammals that live in the sea and breathe air and they sing long songs to each other.';

function firstSaid(s: SimulatedSession): SimulatedSession {
  while (s.timesOf('speech.say').length === 0) s.wait(10);
  return s;
}

function weather(): SimulatedSession {
  const tools = [webhookTool('weather'), systemTool('pause_conversation')];
  const s = new SimulatedSession({ config: { tools }, delays: { toolMs: 5_000 } }).connect();
  s.engine.toolOutcome = () => ({ output: 'sunny' });
  s.engine.answer = ({ messages }) => {
    const last = messages.at(-1)?.content ?? '';
    if (last.startsWith(MARK.instruction)) return { text: 'It is sunny.' };
    if (/thank/.test(last)) return { text: "You're welcome." };
    return /quiet/.test(last)
      ? {
          text: 'Of course, I will be quiet now for ten minutes, just tell me when you need me again.',
          calls: [{ name: 'pause_conversation' }],
        }
      : { text: 'Let me check.', calls: [{ name: 'weather' }] };
  };
  return s.wait(500).speak('how is the weather').wait(2_500);
}

// The result came while the persona promised to be quiet, and was told in the pause.
it('no late result is told in a pause that begins', () => {
  const s = weather().speak('please be quiet for ten minutes').wait(20_000);
  expect(s.transcript().at(-1)).toMatch(/^persona: Of course/);
});

// In its last second "okay" answers what the persona said, but only if it had no more to say.
describe('"okay" over the end of a turn of which more follows, or that was stopped, is no answer:', () => {
  it('a pause goes on', () => {
    const s = new SimulatedSession({ config: { tools: [systemTool('pause_conversation')] } }).connect();
    s.engine.answer = (_, index) =>
      index === 0 ? { text: 'Of course, I will be quiet.', calls: [{ name: 'pause_conversation' }] } : { text: 'Yes.' };
    firstSaid(s.wait(500).speak('please be quiet')).wait(27 * 60 + 60 - 500);
    s.speak('okay', 350).wait(8_000);
    expect(s.engine.questions).toHaveLength(1);
  });
  it('the next talk command is spoken', () => {
    const s = new SimulatedSession().connect().wait(500);
    s.dispatch({ type: 'client.talk', content: 'Here is the first announcement.' });
    s.dispatch({ type: 'client.talk', content: 'Here is the second announcement.' });
    s.wait(31 * 60 + 60 - 600)
      .speak('okay', 350)
      .wait(9_000);
    expect(s.transcript()).toEqual([
      'persona: Here is the first announcement.',
      'persona: Here is the second announcement.',
    ]);
  });
  it('an interruption by the application stays one', () => {
    const s = new SimulatedSession().connect();
    s.engine.answer = () => ({ text: STORY });
    s.type('whales').wait(2_000).speak('okay', 350).wait(450);
    s.dispatch({ type: 'client.interrupt' });
    s.wait(5_000);
    expect(s.engine.questions).toHaveLength(1);
  });
  it('typed text is answered once', () => {
    const s = new SimulatedSession().connect();
    s.engine.answer = () => ({ text: STORY });
    s.type('whales').wait(2_000).speak('okay', 350).wait(450).type('no dolphins').wait(5_000);
    expect(s.engine.questions.map(({ messages }) => messages.at(-1)?.content)).toEqual(['whales', 'no dolphins']);
  });
});

// A call waits until nobody speaks, and this "okay" was a message that made it void.
it('"okay" to "One moment, I look it up" does not cancel the call that the LLM still writes', () => {
  const s = new SimulatedSession({ config: { tools: [webhookTool('weather')] } }).connect();
  s.engine.answer = () => ({ afterMs: 1e7 });
  s.wait(500).speak('how is the weather').wait(1_500);
  const requestId = s.performed('llm.request')[0]?.requestId ?? '';
  s.dispatch({ type: 'llm.text', requestId, text: 'One moment, I look it up. ' });
  s.wait(2_800).speak('okay', 350).wait(100);
  s.engine.answer = () => ({ text: 'Sunny.' });
  s.dispatch({ type: 'llm.toolCall', requestId, call: { id: 'x', name: 'weather', arguments: '{}' } });
  s.dispatch({ type: 'llm.done', requestId } as never);
  s.wait(6_000);
  expect(s.performed('tool.run')).toHaveLength(1);
});

// Too short to be judged before the goodbye began: nothing of it was ever answered or kept.
it.each([200, 500])('an objection that begins %i ms before the end of the farewell keeps the call', (before) => {
  const s = new SimulatedSession({ config: { tools: [systemTool('end_call')] } }).connect();
  s.engine.answer = ({ messages }) =>
    /bye/.test(messages.at(-1)?.content ?? '')
      ? { text: 'Okay, it was lovely to talk to you.', calls: [{ name: 'end_call', args: { confirmed: true } }] }
      : { text: 'Of course.' };
  firstSaid(s.wait(500).speak('okay bye')).wait(35 * 60 + 60 - before);
  s.speak('oh wait I have one more question about the price').wait(12_000);
  expect(s.performed('session.close')).toEqual([]);
  expect(s.transcript().at(-1)).toBe('persona: Of course.');
  expect(JSON.stringify(s.engine.questions.at(-1)?.messages)).toContain('Not ended');
});

it('a late result is told after talk commands that were waiting', () => {
  const s = weather().speak('okay thank you').wait(1_500);
  s.dispatch({ type: 'client.talk', content: 'Here is an announcement of the shop, which takes some time.' });
  s.dispatch({ type: 'client.talk', content: 'And here is another one.' });
  s.wait(20_000);
  expect(s.transcript().at(-1)).toBe('persona: It is sunny.');
});

it('a turn that begins just before the end of the persona is answered as fast as any other', () => {
  const s = new SimulatedSession({ delays: { llmFirstTokenMs: 400 } }).connect();
  s.engine.answer = () => ({ text: 'Whales are mammals that live in the sea and breathe air.' });
  firstSaid(s.type('whales')).wait(56 * 60 + 60 - 300);
  const endsAt = s.speak('tell me about dolphins please.', 2_000).clock.now();
  s.wait(4_000);
  expect((s.timesOf('llm.request').at(-1) ?? 0) - endsAt).toBeLessThan(300);
});
