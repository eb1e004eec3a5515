import { describe, expect, it } from 'vitest';
import { VOICE_DETECTION_DEFAULTS } from '../settings/voice-options.ts';
import { systemTool } from '../testing/session-config.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

function paused(seconds: number): SimulatedSession {
  const s = new SimulatedSession({
    config: {
      tools: [systemTool('pause_conversation')],
      voiceDetection: {
        ...VOICE_DETECTION_DEFAULTS,
        silenceBeforeSkipTurnSeconds: 5,
        silenceBeforeSessionEndSeconds: 60,
      },
    },
  }).connect();
  s.engine.answer = (_, index) =>
    index === 0
      ? { text: 'Take your time.', calls: [{ name: 'pause_conversation', args: { duration_seconds: seconds } }] }
      : { text: 'Welcome back.' };
  return s.type('I need a break').wait(3_000);
}

describe('pause_conversation', () => {
  it('keeps quiet: no prompts, no end, for as long as asked', () => {
    const s = paused(600).wait(590_000);
    expect(s.transcript()).toEqual(['persona: Take your time.']);
    expect(s.performed('session.close')).toEqual([]);
    expect(s.engine.questions).toHaveLength(1);
  });

  it('at its end the ordinary timers begin again', () => {
    const s = paused(30).wait(29_000);
    expect(s.engine.questions).toHaveLength(1);
    s.wait(8_000);
    expect(s.engine.questions).toHaveLength(2);
  });

  it('ends when the user speaks, and answers', () => {
    const s = paused(600).wait(100_000).speak('I am back').wait(4_000);
    expect(s.transcript()).toEqual(['persona: Take your time.', 'user: I am back', 'persona: Welcome back.']);
    s.wait(20_000);
    expect(s.engine.questions.length).toBeGreaterThan(2);
  });

  /**
   * Who asks for a break goes on with life beside the microphone. One cough ended the break: the persona asked three
   * times whether anybody was there, and the session ended after a minute of a break of ten.
   */
  it('is not ended by a cough', () => {
    const s = paused(600).wait(20_000).cough(250).wait(560_000);
    expect(s.transcript()).toEqual(['persona: Take your time.']);
    expect(s.performed('session.close')).toEqual([]);
    expect(s.engine.questions).toHaveLength(1);
  });

  it('is not ended by what the user says to others', () => {
    const s = paused(600).wait(20_000).speak('one second honey').wait(560_000);
    expect(s.engine.questions).toHaveLength(1);
  });

  it('ends when the user writes', () => {
    const s = paused(600).wait(100_000).type('hello again').wait(4_000);
    expect(s.transcript().at(-1)).toBe('persona: Welcome back.');
  });
});
