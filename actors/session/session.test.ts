import { describe, expect, it } from 'vitest';
import { SimulatedSession, countingIds } from '../testing/simulated-session.ts';
import { SteppingClock } from '../kernel/stepping-clock.ts';
import { testConfig, webhookTool } from '../testing/session-config.ts';
import type { SessionCommand } from '../commands.ts';
import { createSession } from './create-session.ts';

function end(s: SimulatedSession) {
  const close = s.performed('session.close')[0];
  return { reason: close?.reason, text: close?.text, status: s.reports('end')[0]?.end.exitStatus };
}

describe('how a session ends', () => {
  it.each([
    ['stopped_by_api', 'Session was stopped.', 'CLOSED_BY_ENGINE'],
    ['share_link_withdrawn', 'The link to this conversation was withdrawn.', 'CLOSED_BY_ENGINE'],
    ['engine_shutdown', 'The service is shutting down.', 'CLOSED_BY_ENGINE'],
    ['usage_limit', 'Usage limit reached.', 'CLOSED_BY_ENGINE'],
    ['meeting_ended', 'The meeting has ended.', 'NORMAL_EXIT'],
    ['engine_error', 'An internal error occurred.', 'ERROR'],
  ] as const)('%s: tells the client and reports it', (reason, text, status) => {
    const s = new SimulatedSession().connect().wait(1_000);
    s.dispatch({ type: 'service.stop', reason });
    expect(end(s)).toEqual({ reason, text, status });
    expect(s.commands.at(-1)?.command.type).toBe('session.close');
  });

  it('a client that hangs up is told nothing', () => {
    const s = new SimulatedSession().connect().wait(1_000);
    s.dispatch({ type: 'client.hangUp' });
    expect(end(s)).toEqual({ reason: 'client_disconnected', text: null, status: 'NORMAL_EXIT' });
  });

  /** A use of a share link is given back when nobody connected, whatever ended the session. */
  it('reports whether a client had connected', () => {
    const connected = (s: SimulatedSession) => {
      s.dispatch({ type: 'service.stop', reason: 'stopped_by_api' });
      return s.reports('end')[0]?.end.connected;
    };
    expect(connected(new SimulatedSession())).toBe(false);
    const opened = new SimulatedSession();
    opened.dispatch({ type: 'socket.opened' });
    expect(connected(opened)).toBe(false);
    expect(connected(new SimulatedSession().connect())).toBe(true);
  });

  it('finishes the message that is being spoken, with the words that were heard', () => {
    const s = new SimulatedSession().connect();
    s.engine.answer = () => ({ text: 'There is a great deal to be said about this.' });
    s.type('go').wait(1_500).dispatch({ type: 'service.stop', reason: 'stopped_by_api' });
    expect(s.transcript()[0]).toMatch(/^persona: There is .*\|$/);
    expect(s.reports('message').at(-1)?.message.interrupted).toBe(true);
    expect(s.reports('turn')[0]?.turn).toMatchObject({
      finishReason: 'interrupted',
      interruptedStage: 'while_speaking',
    });
  });

  it('a voice that never answers the cut does not keep it open', () => {
    const s = new SimulatedSession().connect();
    s.engine.answer = () => ({ text: 'There is a great deal to be said about this.' });
    s.type('go').wait(1_500);
    const cut = s.engine.perform.bind(s.engine);
    s.engine.perform = (command: SessionCommand) => (command.type === 'speech.cut' ? undefined : cut(command));
    const stoppedAt = s.clock.now();
    s.dispatch({ type: 'service.stop', reason: 'stopped_by_api' });
    s.wait(1_000);
    expect((s.timesOf('session.close')[0] ?? 0) - stoppedAt).toBeLessThanOrEqual(500);
    expect(s.transcript()[0]).toMatch(/^persona: There is .*\|$/);
  });

  it('a tool that still runs ends as failed', () => {
    const s = new SimulatedSession({ config: { tools: [webhookTool('slow')] } }).connect();
    s.engine.answer = () => ({ calls: [{ name: 'slow' }] });
    s.engine.toolOutcome = () => ({ output: '', afterMs: 30_000 });
    s.type('go').wait(1_000).dispatch({ type: 'service.stop', reason: 'stopped_by_api' });
    expect(s.messages('toolCallFailed').map((message) => message.data.error_message)).toEqual(['The session ended.']);
    expect(s.reports('toolCall').at(-1)?.call.status).toBe('failed');
  });

  it('is idempotent: the first reason stands, later events do nothing', () => {
    const s = new SimulatedSession().connect().wait(100);
    s.dispatch({ type: 'service.stop', reason: 'stopped_by_api' });
    const count = s.commands.length;
    s.dispatch({ type: 'service.stop', reason: 'engine_error' });
    s.dispatch({ type: 'peer.closed' });
    s.wait(100_000);
    expect(s.commands).toHaveLength(count);
    expect(s.clock.pending).toBeLessThanOrEqual(1);
  });

  it('commands that throw do not stop it', () => {
    const clock = new SteppingClock();
    const performed: SessionCommand[] = [];
    const session = createSession({
      config: testConfig(),
      clock,
      ids: countingIds(),
      startedAtWall: 0,
      endOfTurnModelAvailable: false,
      perform: (command) => {
        performed.push(command);
        throw new Error('broken engine');
      },
    });
    session.dispatch({ type: 'socket.opened' });
    session.dispatch({ type: 'service.stop', reason: 'stopped_by_api' });
    clock.advance(1_000);
    expect(performed.at(-1)?.type).toBe('session.close');
  });
});

describe('maximum length', () => {
  it('counts from the first video frame, warns 30 s before, and stops speech', () => {
    const s = new SimulatedSession({
      config: {
        maxSessionLengthSeconds: 60,
        voiceDetection: { ...testConfig().voiceDetection, silenceBeforeSessionEndSeconds: 0 },
      },
    }).connect();
    s.engine.answer = () => ({ text: 'There is so much to be said about all of this, and I will say it.' });
    s.wait(58_000).type('go').wait(3_000);
    expect(s.timesOf('signal.warning')).toEqual([30_000]);
    expect(s.performed('signal.warning')[0]?.text).toBe('Session will end in 30 seconds.');
    expect(s.timesOf('session.close')).toEqual([60_000]);
    expect(end(s).reason).toBe('max_session_length');
    expect(s.transcript()[0]).toMatch(/\|$/);
  });

  it('a limit of seconds ends without a warning', () => {
    const s = new SimulatedSession({ config: { maxSessionLengthSeconds: 5 } }).connect().wait(10_000);
    expect(s.performed('signal.warning')).toEqual([]);
    expect(s.timesOf('session.close')).toEqual([5_000]);
  });
});

describe('a session whose client thinks', () => {
  it('hears, tells the client, and does not answer by itself', () => {
    const s = new SimulatedSession({ config: { llm: { kind: 'client' } } })
      .connect()
      .wait(500)
      .speak('what is new')
      .wait(3_000)
      .type('and typed')
      .wait(1_000);
    expect(s.transcript()).toEqual(['user: what is new']);
    expect(s.engine.questions).toEqual([]);
    expect(s.reports('message').map((entry) => entry.message.text)).toEqual(['what is new', 'and typed']);
  });
});

describe('what the client changes in mid-session', () => {
  it('a valid update is applied and acknowledged with before and after', () => {
    const s = new SimulatedSession().connect();
    s.dispatch({
      type: 'client.personaConfig',
      data: {
        languageCode: 'de',
        voiceDetectionOptions: { speechEnhancementLevel: 0.3 },
        voiceGenerationOptions: { speed: 1.2 },
      },
    });
    expect(s.performed('audioIn.configure')).toEqual([
      { type: 'audioIn.configure', language: 'de', enhancementLevel: 0.3 },
    ]);
    expect(s.performed('speech.configure')).toEqual([{ type: 'speech.configure', tuning: { speed: 1.2 } }]);
    expect(s.messages('personaConfigUpdateApplied')[0]?.data.changed_fields).toEqual({
      languageCode: { before: 'en', after: 'de' },
      'voiceDetectionOptions.speechEnhancementLevel': { before: 0.8, after: 0.3 },
      'voiceGenerationOptions.speed': { before: null, after: 1.2 },
    });
  });

  it('one bad field rejects all of it, by a warning', () => {
    const s = new SimulatedSession().connect();
    s.dispatch({ type: 'client.personaConfig', data: { languageCode: 'de', systemPrompt: 'new' } });
    expect(s.performed('signal.warning')[0]?.text).toMatch(/^Persona config update rejected: /);
    expect(s.performed('audioIn.configure')).toEqual([]);
    expect(s.messages('personaConfigUpdateApplied')).toEqual([]);
  });

  it('context is seen by the LLM at the next user turn, without a reply', () => {
    const s = new SimulatedSession().connect();
    s.dispatch({ type: 'client.context', content: 'the cart holds two books' });
    s.wait(2_000);
    expect(s.engine.questions).toEqual([]);
    s.type('what is in my cart').wait(10);
    expect(s.engine.questions[0]?.messages.some((message) => message.content.includes('two books'))).toBe(true);
  });

  it('a language that recognition does not understand is told, and the session goes on', () => {
    const s = new SimulatedSession().connect();
    s.dispatch({ type: 'client.personaConfig', data: { languageCode: 'de' } });
    s.dispatch({ type: 'stt.languageUnavailable', language: 'de' });
    s.wait(500).speak('hello there').wait(4_000);
    expect(s.performed('signal.warning').map(({ text }) => text)).toEqual([
      'Speech recognition does not understand German; words in German will be misheard.',
    ]);
    expect(s.transcript()).toHaveLength(2);
  });

  it('a noise filter that is missing is told once, and the session goes on', () => {
    const s = new SimulatedSession().connect();
    s.dispatch({ type: 'enhancement.unavailable' });
    s.dispatch({ type: 'enhancement.unavailable' });
    s.wait(500).speak('hello there').wait(4_000);
    expect(s.performed('signal.warning')).toHaveLength(1);
    expect(s.transcript()).toHaveLength(2);
  });
});

describe('when a part fails', () => {
  it('an LLM that fails makes the persona apologize, and the client is warned', () => {
    const s = new SimulatedSession().connect();
    s.engine.answer = (_, index) => (index === 0 ? { fails: 'timeout' } : { text: 'Here I am.' });
    s.type('hello').wait(8_000).type('again').wait(4_000);
    expect(s.performed('signal.warning').map((command) => command.text)).toEqual([
      'Could not connect to the custom LLM: timeout',
    ]);
    expect(s.transcript()[0]).toContain("I'm sorry");
    expect(s.transcript()[1]).toBe('persona: Here I am.');
  });

  it('a sentence that cannot be spoken is left out, with one warning', () => {
    const s = new SimulatedSession().connect();
    s.engine.answer = () => ({ text: 'This one is silent. This one is heard.' });
    const perform = s.engine.perform.bind(s.engine);
    s.engine.perform = (command: SessionCommand) => {
      if (command.type === 'speech.say' && command.text.includes('silent'))
        s.clock.setTimeout(
          () => s.dispatch({ type: 'speech.failed', segmentId: command.segmentId, message: 'no voice' }),
          50,
        );
      else perform(command);
    };
    s.type('hello').wait(5_000);
    expect(s.transcript()[0]).toContain('This one is heard.');
    expect(s.transcript()[0]).not.toContain('silent');
    expect(s.performed('signal.warning').map((command) => command.text)).toEqual(['Speech synthesis failed: no voice']);
  });
});
