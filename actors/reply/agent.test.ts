import { expect, it } from 'vitest';
import { testConfig } from '../testing/session-config.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

/** A session whose model is an agent of another service. */
function withAgent(answer: SimulatedSession['engine']['answer']) {
  const { voiceDetection } = testConfig();
  const s = new SimulatedSession({
    config: {
      llm: { kind: 'service', llmId: 'a', displayName: 'An agent', reasoningFormat: null, speaks: true, agent: true },
      greeting: { skip: false, initialMessage: 'Hello from Parley.', uninterruptible: false },
      voiceDetection: { ...voiceDetection, silenceBeforeSkipTurnSeconds: 2, silenceBeforeSessionEndSeconds: 30 },
      tools: [],
    },
  }).connect();
  s.engine.answer = answer;
  return s;
}

it('an agent greets and speaks up by itself: Parley does neither, but ends a call in which nobody talks', () => {
  const s = withAgent(() => ({ text: 'Welcome to the shop.' }));
  s.wait(500);
  expect(s.performed('llm.request')).toEqual([]);
  s.dispatch({ type: 'llm.speaks' });
  s.wait(5_000);
  const [request] = s.performed('llm.request');
  expect(request).toMatchObject({ mayBeEmpty: true });
  expect(request!.messages.every(({ role }) => role === 'system')).toBe(true);
  expect(s.transcript()).toEqual(['persona: Welcome to the shop.']);
  s.wait(40_000);
  expect(s.performed('llm.request')).toHaveLength(1);
  expect(s.performed('session.close')).toHaveLength(1);
});

it('what an agent says by itself waits for the answer that is going on, and is nothing if that had it', () => {
  const s = withAgent((_, index) => (index === 0 ? { text: 'One moment, please, I am looking.' } : { text: '' }));
  s.type('When do you open?').wait(200);
  s.dispatch({ type: 'llm.speaks' });
  s.wait(8_000);
  expect(s.performed('llm.request')).toHaveLength(2);
  expect(s.transcript()).toEqual(['persona: One moment, please, I am looking.']);
  expect(s.performed('signal.warning')).toEqual([]);
});

it('is not apologized for when it leaves something unanswered', () => {
  const s = withAgent(() => ({ text: '' }));
  s.type('I was talking to my dog.').wait(5_000);
  expect(s.performed('llm.request')).toHaveLength(1);
  expect(s.transcript()).toEqual([]);
  expect(s.performed('signal.warning')).toEqual([]);
});

it('has the client run the client tools that only the agent knows, and is told their results', () => {
  const s = withAgent((question, index) =>
    index === 0
      ? { calls: [{ name: 'show_notification', args: { message: 'hi' } }] }
      : { text: `It says ${question.messages.at(-1)!.content}.` },
  );
  s.type('Show it.').wait(500);
  const [started] = s.messages('toolCallStarted');
  expect(started?.data).toMatchObject({
    tool_name: 'show_notification',
    tool_type: 'client',
    arguments: { message: 'hi' },
  });
  s.dispatch({
    type: 'client.toolResult',
    toolCallId: String(started?.data['tool_call_id']),
    result: 'shown',
    error: null,
  });
  s.wait(3_000);
  expect(s.transcript().at(-1)).toBe('persona: It says shown.');
});
