import { describe, expect, it } from 'vitest';
import type { SessionConfig } from '../session-config.ts';
import { VOICE_DETECTION_DEFAULTS } from '../settings/voice-options.ts';
import { systemTool, webhookTool } from '../testing/session-config.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

function session(skipSeconds: number, endSeconds: number, more: Partial<SessionConfig> = {}): SimulatedSession {
  const voiceDetection = {
    ...VOICE_DETECTION_DEFAULTS,
    silenceBeforeSkipTurnSeconds: skipSeconds,
    silenceBeforeSessionEndSeconds: endSeconds,
  };
  return new SimulatedSession({ config: { voiceDetection, ...more } }).connect();
}

/** When the LLM was asked to speak up. */
function prompts(s: SimulatedSession): number[] {
  return s.engine.questions
    .filter((question) => question.messages.at(-1)?.content.includes('has been silent'))
    .map((question) => question.at);
}

function endedAt(s: SimulatedSession): number | undefined {
  return s.timesOf('session.close')[0];
}

describe('silence prompt', () => {
  it('comes after the configured silence since the session was ready, in the conversation language', () => {
    const s = session(5, 0, { languageCode: 'es' }).wait(5_001);
    expect(s.engine.questions).toHaveLength(1);
    expect(s.engine.questions[0]?.messages.at(-1)?.content).toContain('español');
    expect(s.engine.questions[0]?.at).toBe(5_000);
  });

  it("counts from the end of the persona's speech", () => {
    const s = session(5, 0).type('hello').wait(9_000);
    const spokenAt = s.engine.heard[0]?.to ?? 0;
    expect(prompts(s)[0]).toBe(spokenAt + 5_000);
  });

  it('comes at most three times in a row, and again after the user did something', () => {
    const s = session(5, 0).wait(120_000);
    expect(prompts(s)).toHaveLength(3);
    s.speak('I am here').wait(120_000);
    expect(prompts(s)).toHaveLength(6);
  });

  /** It came four times within 66 s, once over the user. */
  it('leaves people alone for twice as long each time', () => {
    const s = session(10, 0).wait(120_000);
    const waits = prompts(s).map((at, index) => at - (index === 0 ? 0 : s.engine.heard[index - 1]!.to));
    expect(waits).toEqual([10_000, 20_000, 40_000]);
    expect(VOICE_DETECTION_DEFAULTS.silenceBeforeSkipTurnSeconds).toBe(10);
  });

  it('0 switches it off', () => {
    expect(prompts(session(0, 0).wait(600_000))).toEqual([]);
  });

  it('is never spoken without an LLM of its own, or with passthrough', () => {
    expect(session(5, 0, { llm: { kind: 'client' } }).wait(30_000).engine.questions).toEqual([]);
    expect(session(5, 0, { enableAudioPassthrough: true }).wait(30_000).engine.questions).toEqual([]);
  });

  it('waits while the user speaks, while a tool runs, and while the connection is held', () => {
    const s = session(5, 0, { tools: [webhookTool('slow')] });
    s.engine.answer = (question) =>
      question.messages.at(-1)?.content === 'go' ? { calls: [{ name: 'slow' }] } : { text: 'Hm.' };
    s.engine.toolOutcome = () => ({ output: 'x', afterMs: 20_000 });
    s.speak('a very long story', 8_000).wait(100);
    expect(prompts(s)).toEqual([]);
    s.wait(3_000).type('go').wait(19_000);
    expect(prompts(s)).toEqual([]);
    s.wait(2_500).dispatch({ type: 'peer.quiet' });
    s.wait(30_000);
    expect(prompts(s)).toEqual([]);
  });

  it('skip_turn replaces the next wait by its own', () => {
    const s = session(5, 0, { tools: [systemTool('skip_turn')] });
    s.engine.answer = (_, index) =>
      index === 0 ? { calls: [{ name: 'skip_turn', args: { timeout_seconds: 40 } }] } : { text: 'Still there?' };
    s.type('let me think').wait(39_000);
    expect(prompts(s)).toEqual([]);
    s.wait(2_000);
    expect(prompts(s)).toHaveLength(1);
  });

  /** "Let me think": somebody who thinks clears the throat, and was asked after five seconds all the same. */
  it('a cough changes nothing about the wait of skip_turn', () => {
    const s = session(5, 0, { tools: [systemTool('skip_turn')] });
    s.engine.answer = (_, index) =>
      index === 0 ? { calls: [{ name: 'skip_turn', args: { timeout_seconds: 50 } }] } : { text: 'Still there?' };
    s.speak('let me think about that').wait(8_000).cough(250).wait(35_000);
    expect(prompts(s)).toEqual([]);
    s.wait(12_000);
    expect(prompts(s)).toHaveLength(1);
  });

  it('a cough neither makes it come again after the third time, nor puts it off by more than the cough', () => {
    const s = session(5, 0).wait(60_000).cough(250).wait(60_000);
    expect(prompts(s)).toHaveLength(3);
    const coughed = session(5, 0).wait(2_000).cough(250).wait(6_000);
    expect(prompts(coughed)[0]).toBeLessThan(5_000 + 250 + 2_000);
  });

  it('stays off at 0 although the persona skips its turn', () => {
    const s = session(0, 0, { tools: [systemTool('skip_turn')] });
    s.engine.answer = (_, index) =>
      index === 0 ? { calls: [{ name: 'skip_turn', args: { timeout_seconds: 5 } }] } : { text: 'Still there?' };
    s.type('let me think').wait(60_000);
    expect(prompts(s)).toEqual([]);
    expect(s.transcript()).toEqual([]);
  });

  it('context, statistics and heartbeats are no activity', () => {
    const s = session(5, 0).wait(3_000);
    s.dispatch({ type: 'client.context', content: 'a fact' });
    s.wait(2_100);
    expect(prompts(s)).toHaveLength(1);
  });

  it.each([
    { type: 'client.text', content: 'hi' },
    { type: 'client.interrupt' },
    { type: 'client.talk', content: 'Hi.' },
    { type: 'client.toolResult', toolCallId: 'x', result: 1, error: null },
  ] as const)('$type is activity', (event) => {
    const s = session(5, 0).wait(3_000);
    s.dispatch(event);
    s.wait(2_100);
    expect(prompts(s)).toEqual([]);
  });

  it('does not die after an interruption without a transcript', () => {
    const s = session(5, 0).type('hello').wait(400);
    s.cough(900).wait(20_000);
    expect(prompts(s).length).toBeGreaterThan(0);
  });
});

describe('end by inactivity', () => {
  it('comes after the configured silence, with a warning before and a reason', () => {
    const s = session(0, 60).wait(61_000);
    expect(endedAt(s)).toBe(60_000);
    expect(s.performed('session.close')[0]).toMatchObject({
      reason: 'user_inactivity',
      text: 'Session ended due to inactivity.',
    });
    expect(s.performed('signal.warning').map((command) => command.text)).toEqual([
      'Session will end soon due to inactivity.',
    ]);
    expect(s.timesOf('signal.warning')).toEqual([50_000]);
  });

  it('prompts do not put it off, beyond the time that they take', () => {
    const s = session(10, 60).wait(100_000);
    const speaking = s.engine.heard.reduce((sum, { from, to }) => sum + to - from, 0);
    expect(prompts(s)).toHaveLength(2);
    expect(endedAt(s)).toBeGreaterThanOrEqual(60_000 + speaking);
    expect(endedAt(s)).toBeLessThan(60_000 + speaking + 1_500);
  });

  it('a cough in an empty room does not put it off by more than itself', () => {
    const s = session(0, 60).wait(30_000).cough(250).wait(10_000).cough(250).wait(25_000);
    expect(endedAt(s)).toBeGreaterThan(60_000);
    expect(endedAt(s)).toBeLessThan(64_000);
  });

  it('ordinary speech of the persona starts it again', () => {
    const s = session(0, 60).wait(50_000);
    s.dispatch({ type: 'client.talk', content: 'One more thing.' });
    s.wait(65_000);
    expect(endedAt(s)).toBe((s.engine.heard[0]?.to ?? 0) + 60_000);
  });

  it('0 switches it off; without an LLM it still applies', () => {
    expect(endedAt(session(0, 0).wait(7_000_000))).toBeUndefined();
    expect(endedAt(session(5, 30, { llm: { kind: 'client' } }).wait(40_000))).toBe(30_000);
  });

  it('a mid-session update of the times takes effect', () => {
    const s = session(0, 60).wait(20_000);
    s.dispatch({
      type: 'client.personaConfig',
      data: { voiceDetectionOptions: { silenceBeforeSessionEndSeconds: 5 } },
    });
    s.wait(6_000);
    expect(endedAt(s)).toBe(25_000);
  });
});
