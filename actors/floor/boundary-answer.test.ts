import { describe, expect, it } from 'vitest';
import { webhookTool } from '../testing/session-config.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

/**
 * "Just say okay and I will book it" is no question, and the user's "okay" 420 ms before its end was lost as a sign of
 * listening. So close to the end of what the persona has to say, it is the answer.
 */
describe('said right before the persona ends', () => {
  const TEXT = 'This costs ten dollars. Just say okay and I will book it for you.';

  /** @param beforeEndMs how long before the end of the persona's speech the user begins. */
  function said(text: string, beforeEndMs: number, ms = 450, levelDb?: number): SimulatedSession {
    const rehearsal = begin().wait(12_000);
    const endsAt = rehearsal.engine.heard.at(-1)?.to ?? 0;
    const s = begin();
    return s
      .wait(endsAt - beforeEndMs - s.clock.now())
      .speak(text, ms, levelDb === undefined ? {} : { levelDb })
      .wait(10_000);
  }

  function begin(): SimulatedSession {
    const s = new SimulatedSession().connect();
    s.engine.answer = (_, index) => ({ text: index === 0 ? TEXT : 'Booked.' });
    return s.wait(500).speak('book it for me');
  }

  it.each([420, 700])('"okay" is the answer, %d ms before the end', (beforeEndMs) => {
    expect(said('okay', beforeEndMs).transcript()).toEqual([
      'user: book it for me',
      `persona: ${TEXT}`,
      'user: okay',
      'persona: Booked.',
    ]);
  });

  it('earlier it is a sign of listening', () => {
    expect(said('okay', 2_000).transcript()).toEqual(['user: book it for me', `persona: ${TEXT}`]);
  });

  it('a hum and a far voice are no answers', () => {
    for (const s of [said('hm', 420, 300), said('okay', 420, 450, -40)])
      expect(s.transcript()).toEqual(['user: book it for me', `persona: ${TEXT}`]);
  });

  it('speech that only pauses for a tool goes on', () => {
    const s = new SimulatedSession({ config: { tools: [webhookTool('book')] }, delays: { toolMs: 4_000 } }).connect();
    s.engine.answer = (_, index) =>
      index === 0 ? { text: 'One moment please, I look it up.', calls: [{ name: 'book' }] } : { text: 'Booked.' };
    s.wait(500).speak('book it for me');
    while (!s.engine.isSpeaking) s.wait(20);
    s.wait(1_600).speak('okay', 400).wait(9_000);
    expect(s.transcript()).toEqual(['user: book it for me', 'persona: One moment please, I look it up. Booked.']);
  });
});
