import { describe, expect, it } from 'vitest';
import { SimulatedSession } from '../testing/simulated-session.ts';
import { clientTool, systemTool, webhookTool } from '../testing/session-config.ts';
import type { FakeAnswer } from '../testing/fake-engine.ts';
import type { ToolDefinition } from '../session-config.ts';

/** A session whose LLM calls in the first round and says "Done." once it has the results. */
function session(
  tools: readonly ToolDefinition[],
  first: FakeAnswer,
  options: { toolMs?: number } = {},
): SimulatedSession {
  const s = new SimulatedSession({ config: { tools }, delays: { toolMs: options.toolMs ?? 300 } }).connect();
  s.engine.answer = (_, index) => (index === 0 ? first : { text: 'Done.' });
  return s;
}

function outputs(s: SimulatedSession): string[] {
  return (s.engine.questions.at(-1)?.messages ?? []).flatMap((message) =>
    message.role === 'tool' ? [message.content] : [],
  );
}

function callIds(s: SimulatedSession): string[] {
  return s.messages('toolCallStarted').map((message) => message.data.tool_call_id);
}

describe('a tool on the server', () => {
  it('is announced, run, completed once, and its output reaches the LLM', () => {
    const s = session([webhookTool('weather')], {
      text: 'Let me look.',
      calls: [{ name: 'weather', args: { city: 'Rome' } }],
    });
    s.engine.toolOutcome = () => ({ output: '{"sky":"blue"}' });
    s.type('what is the weather').wait(4_000);
    expect(s.messages('toolCallStarted')).toHaveLength(1);
    expect(s.messages('toolCallStarted')[0]?.data).toMatchObject({
      tool_name: 'weather',
      tool_type: 'server',
      tool_subtype: 'webhook',
      arguments: { city: 'Rome' },
      used_outside_engine: true,
    });
    expect(s.messages('toolCallCompleted')).toHaveLength(1);
    expect(s.messages('toolCallFailed')).toEqual([]);
    expect(outputs(s)).toEqual(['{"sky":"blue"}']);
    expect(s.transcript()).toEqual(['persona: Let me look. Done.']);
    expect(s.reports('toolCall').map((entry) => entry.call.status)).toEqual(['started', 'completed']);
    expect(s.reports('turn')[0]?.turn.toolCallIds).toEqual(callIds(s));
  });

  it('that fails is told to client and LLM', () => {
    const s = session([webhookTool('weather')], { calls: [{ name: 'weather' }] });
    s.engine.toolOutcome = () => ({ error: 'status 500' });
    s.type('weather?').wait(4_000);
    expect(s.messages('toolCallFailed').map((message) => message.data.error_message)).toEqual(['status 500']);
    expect(outputs(s)).toEqual(['Error: status 500']);
  });

  it('that nobody waits for lets the LLM go on at once', () => {
    const s = session([webhookTool('log', { awaitResponse: false })], { calls: [{ name: 'log' }] }, { toolMs: 2_000 });
    s.type('log it').wait(600);
    expect(s.engine.questions).toHaveLength(2);
    expect(outputs(s)).toEqual(['ok']);
    expect(s.messages('toolCallCompleted')).toEqual([]);
    s.wait(3_000);
    expect(s.messages('toolCallCompleted')).toHaveLength(1);
  });

  it.each([true, false])(
    'ends once, also when its outcome is reported again and otherwise (awaited: %s)',
    (awaitResponse) => {
      const s = session([webhookTool('log', { awaitResponse })], { calls: [{ name: 'log' }] }, { toolMs: 60_000 })
        .type('log it')
        .wait(600);
      const callId = callIds(s)[0] ?? '';
      for (const event of [
        { type: 'tool.failed', callId, message: 'no' },
        { type: 'tool.failed', callId, message: 'no' },
        { type: 'tool.succeeded', callId, output: 'yes', result: 'yes' },
      ] as const)
        s.dispatch(event);
      s.wait(2_000);
      expect(s.messages('toolCallFailed')).toHaveLength(1);
      expect(s.messages('toolCallCompleted')).toEqual([]);
    },
  );

  it('parallel calls are all announced first, in order, and run side by side', () => {
    const s = session([webhookTool('a'), webhookTool('b')], { calls: [{ name: 'b' }, { name: 'a' }] });
    s.engine.toolOutcome = (name) => ({ output: name, afterMs: name === 'b' ? 900 : 300 });
    s.type('both').wait(4_000);
    const order = s
      .performed('message.send')
      .map(({ message }) => message.messageType)
      .filter((type) => type.startsWith('toolCall'));
    expect(order).toEqual(['toolCallStarted', 'toolCallStarted', 'toolCallCompleted', 'toolCallCompleted']);
    expect(s.messages('toolCallStarted').map((message) => message.data.tool_name)).toEqual(['b', 'a']);
    expect(s.timesOf('tool.run')[0]).toBe(s.timesOf('tool.run')[1]);
    expect(outputs(s)).toEqual(['b', 'a']);
  });

  it('an interruption neither loses nor repeats its call, and its result is told when it comes', () => {
    const s = new SimulatedSession({ config: { tools: [webhookTool('order')] }, delays: { toolMs: 6_000 } }).connect();
    s.engine.answer = (question, index) =>
      index === 0
        ? { text: 'I am placing the order for you right now, one moment please.', calls: [{ name: 'order' }] }
        : {
            text: question.messages.some((message) => message.role === 'tool' && message.content.includes('42'))
              ? 'It was order 42.'
              : 'Still on it.',
          };
    s.engine.toolOutcome = () => ({ output: 'order 42' });
    s.wait(500).speak('order the pizza').wait(2_500).speak('wait how long does it take', 1_500).wait(2_000);
    // While the tool runs, the LLM is told so and does not need to call it again.
    expect(outputs(s)).toEqual(['No result yet: the call is still running.']);
    s.wait(5_000);
    expect(s.performed('tool.run')).toHaveLength(1);
    expect(s.messages('toolCallCompleted')).toHaveLength(1);
    expect(s.transcript().slice(-2)).toEqual(['persona: Still on it.', 'persona: It was order 42.']);
    s.type('and now?').wait(3_000);
    expect(s.transcript().at(-1)).toBe('persona: It was order 42.');
  });
});

/**
 * After a tool with `disableInterruptions` had ended while the user was talking, nothing could interrupt the persona any
 * more: its end was not counted, because only the region of the floor got the event. The user's words waited until the
 * persona had told all of its outdated answer.
 */
it('an uninterruptible tool that ends while the user talks leaves an interruptible persona', () => {
  const s = session(
    [webhookTool('save', { disableInterruptions: true })],
    { text: 'One moment please.', calls: [{ name: 'save' }] },
    { toolMs: 2_000 },
  );
  s.wait(500).type('save it').wait(1_000).speak('I also want to say something long about that', 4_000).wait(2_500);
  expect(s.transcript()).toEqual([
    'persona: One moment please.|',
    'user: I also want to say something long about that',
    'persona: Done.',
  ]);
});

describe('a tool on the client', () => {
  it('with a result: one started event, none of completion, and the result reaches the LLM', () => {
    const s = session([clientTool('show')], { calls: [{ name: 'show' }] })
      .type('show it')
      .wait(500);
    s.dispatch({ type: 'client.toolResult', toolCallId: callIds(s)[0] ?? '', result: { shown: true }, error: null });
    s.wait(2_000);
    expect(outputs(s)).toEqual(['{"shown":true}']);
    expect(s.messages('toolCallStarted')).toHaveLength(1);
    expect(s.messages('toolCallCompleted')).toEqual([]);
    expect(s.reports('toolCall').at(-1)?.call).toMatchObject({ status: 'completed', toolType: 'client' });
  });

  it('with an error: told to the LLM, not repeated to the client', () => {
    const s = session([clientTool('show')], { calls: [{ name: 'show' }] })
      .type('show it')
      .wait(500);
    s.dispatch({ type: 'client.toolResult', toolCallId: callIds(s)[0] ?? '', result: null, error: 'no screen' });
    s.wait(2_000);
    expect(outputs(s)).toEqual(['Error: no screen']);
    expect(s.messages('toolCallFailed')).toEqual([]);
    expect(s.reports('toolCall').at(-1)?.call).toMatchObject({ status: 'failed', errorMessage: 'no screen' });
  });

  it('without an answer in time: one failed event; what comes later, or twice, is ignored', () => {
    const s = session([clientTool('show', { toolTimeoutSeconds: 2 })], { calls: [{ name: 'show' }] })
      .type('show it')
      .wait(4_000);
    expect(s.messages('toolCallFailed').map((message) => message.data.error_message)).toEqual([
      'no response from the client within 2 seconds',
    ]);
    const before = s.commands.length;
    for (let times = 0; times < 2; times += 1)
      s.dispatch({ type: 'client.toolResult', toolCallId: callIds(s)[0] ?? '', result: 'late', error: null });
    s.wait(100);
    expect(s.commands.slice(before)).toEqual([]);
    expect(outputs(s)).toEqual(['Error: no response from the client within 2 seconds']);
  });

  it('that nobody waits for: the LLM goes on at once, a late result is recorded', () => {
    const s = session([clientTool('notify', { awaitResult: false })], { calls: [{ name: 'notify' }] })
      .type('notify')
      .wait(2_000);
    expect(outputs(s)).toEqual(['ok']);
    expect(s.transcript()).toEqual(['persona: Done.']);
    s.dispatch({ type: 'client.toolResult', toolCallId: callIds(s)[0] ?? '', result: 'seen', error: null });
    expect(s.reports('toolCall').at(-1)?.call).toMatchObject({ status: 'completed', result: 'seen' });
    expect(s.messages('toolCallStarted')).toHaveLength(1);
    expect(s.messages('toolCallCompleted')).toEqual([]);
  });

  it('a result for a call that never was is ignored', () => {
    const s = session([clientTool('show')], { text: 'No call.' }).type('hi');
    s.dispatch({ type: 'client.toolResult', toolCallId: 'nobody', result: 1, error: null });
    s.wait(2_000);
    expect(s.transcript()).toEqual(['persona: No call.']);
  });
});

describe('the limits of the tool loop', () => {
  it('stops after ten calls, warns, and asks once more without tools', () => {
    const s = new SimulatedSession({ config: { tools: [webhookTool('search')] } }).connect();
    s.engine.answer = (question, index) =>
      question.tools.length === 0
        ? { text: 'Here is what I found.' }
        : { calls: [{ name: 'search', args: { page: index } }] };
    s.type('search').wait(20_000);
    expect(s.performed('tool.run')).toHaveLength(10);
    expect(s.engine.questions).toHaveLength(12);
    expect(s.engine.questions.at(-1)?.tools).toEqual([]);
    expect(s.performed('signal.warning').map((command) => command.text)).toEqual([
      'Tool call limit reached for this turn.',
    ]);
    expect(s.transcript()).toEqual(['persona: Here is what I found.']);
  });

  it('stops after five identical calls in a row', () => {
    const s = new SimulatedSession({ config: { tools: [webhookTool('search')] } }).connect();
    s.engine.answer = (question) =>
      question.tools.length === 0 ? { text: 'Nothing.' } : { calls: [{ name: 'search', args: { q: 1 } }] };
    s.type('search').wait(20_000);
    expect(s.performed('tool.run')).toHaveLength(5);
    expect(s.transcript()).toEqual(['persona: Nothing.']);
  });

  /** Such a call left no event, no warning and no line in the log: nobody knew why the tool never ran. */
  it('an unknown tool, or arguments that do not fit, is told to all, and counts', () => {
    const tool = {
      ...webhookTool('pay'),
      parameters: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
    };
    const s = session([tool], { calls: [{ name: 'fly' }, { name: 'pay', args: {} }] })
      .type('go')
      .wait(3_000);
    expect(outputs(s)).toHaveLength(2);
    expect(outputs(s)[0]).toContain('There is no tool named "fly"');
    expect(outputs(s)[1]).toContain('amount');
    expect(s.messages('toolCallStarted')).toEqual([]);
    expect(s.messages('toolCallFailed').map(({ data }) => (data as { tool_name: string }).tool_name)).toEqual([
      'fly',
      'pay',
    ]);
    const warnings = s.performed('signal.warning').map(({ code }) => code);
    expect(warnings).toEqual(['tool_call_refused', 'tool_call_refused']);
    const failed = s.performed('report').filter(({ entry }) => entry.kind === 'toolCall');
    expect(failed.map(({ entry }) => entry)).toMatchObject([
      { call: { toolName: 'fly', status: 'failed' } },
      { call: { toolName: 'pay', status: 'failed' } },
    ]);
  });
});

describe('system tools', () => {
  it('change_language switches recognition', () => {
    const s = session([systemTool('change_language')], {
      calls: [{ name: 'change_language', args: { language_code: 'de-DE' } }],
    })
      .type('deutsch')
      .wait(3_000);
    expect(s.performed('audioIn.configure')).toEqual([{ type: 'audioIn.configure', language: 'de' }]);
    expect(s.messages('toolCallCompleted')[0]?.data).toMatchObject({ tool_type: 'system', tool_subtype: null });
    expect(s.transcript()).toEqual(['persona: Done.']);
  });

  it('change_language to nonsense fails for the LLM', () => {
    const s = session([systemTool('change_language')], {
      calls: [{ name: 'change_language', args: { language_code: 'klingon' } }],
    })
      .type('qapla')
      .wait(3_000);
    expect(outputs(s)[0]).toContain('not supported');
    expect(s.performed('audioIn.configure')).toEqual([]);
  });

  it('end_call unconfirmed asks the user first', () => {
    const s = session([systemTool('end_call')], { calls: [{ name: 'end_call' }] })
      .type('bye')
      .wait(3_000);
    expect(outputs(s)[0]).toContain('Ask the user');
    expect(s.performed('session.close')).toEqual([]);
  });

  it('end_call confirmed speaks the goodbye to its end, whatever the user does, then ends', () => {
    const s = session([systemTool('end_call')], { calls: [{ name: 'end_call', args: { confirmed: true } }] })
      .type('yes, end it')
      .wait(700);
    s.speak('no wait stop', 800).wait(8_000);
    expect(s.transcript()[0]).toBe('persona: Thank you for talking with me. Goodbye!');
    expect(s.performed('session.close')).toEqual([
      { type: 'session.close', text: 'The call was ended by the persona.', reason: 'end_call' },
    ]);
  });

  it('skip_turn says nothing now', () => {
    const s = session([systemTool('skip_turn')], { calls: [{ name: 'skip_turn' }] })
      .type('let me think')
      .wait(5_000);
    expect(s.engine.questions).toHaveLength(1);
    expect(s.performed('speech.say')).toEqual([]);
    expect(s.messages('toolCallCompleted')).toHaveLength(1);
  });

  it('interrupt stops the persona', () => {
    const s = session([systemTool('interrupt')], {
      text: 'I could go on about this for a very long time indeed, you know.',
      calls: [{ name: 'interrupt' }],
    })
      .type('stop')
      .wait(8_000);
    expect(s.engine.questions).toHaveLength(1);
    expect(s.transcript().every((line) => line.endsWith('|'))).toBe(true);
  });
});
