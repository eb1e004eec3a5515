import { describe, expect, it } from 'vitest';
import { SimulatedSession } from '../testing/simulated-session.ts';
import { webhookTool } from '../testing/session-config.ts';

const LONG =
  'There are seven things to say about this, and the first one is rather long indeed. The second one is short. The third one is about the weather in spring.';

/** The persona is in the middle of a long answer. */
function speaking(config: ConstructorParameters<typeof SimulatedSession>[0] = {}): SimulatedSession {
  const s = new SimulatedSession(config).connect();
  s.engine.answer = (question) => ({ text: question.messages.at(-1)?.content === 'tell me about it' ? LONG : 'Sure.' });
  return s.wait(500).speak('tell me about it').wait(2_200);
}

describe('barge-in', () => {
  it('lowers the voice within two windows of the first voiced sample', () => {
    const s = speaking();
    const begun = s.clock.now();
    s.speak('wait a moment please', 1_000);
    expect((s.timesOf('speech.duck')[0] ?? 0) - begun).toBeLessThanOrEqual(110);
  });

  it('stops at once when the words say so, and keeps only what was heard', () => {
    const s = speaking();
    const begun = s.clock.now();
    s.speak('what about the price', 1_200).wait(5_000);
    const cutAt = s.timesOf('speech.cut')[0] ?? 0;
    // Two words were spoken and recognized 680 ms after the onset.
    expect(cutAt - begun).toBeLessThanOrEqual(700);
    const heard = s.transcript()[1] ?? '';
    expect(heard).toMatch(/^persona: There are seven .*\|$/);
    expect(s.transcript().slice(2)).toEqual(['user: what about the price', 'persona: Sure.']);
    const remembered = s.engine.questions.at(-1)?.messages.find((message) => message.role === 'assistant')?.content;
    expect(remembered).toBe(`${heard.slice('persona: '.length, -1)} [interrupted]`);
    const row = s
      .reports('message')
      .map((entry) => entry.message)
      .find((message) => message.interrupted);
    expect(row?.text).toBe(heard.slice('persona: '.length, -1));
  });

  it('one plain word is enough to stop it', () => {
    const s = speaking().speak('stop', 320).wait(4_000);
    expect(s.transcript()[1]).toMatch(/\|$/);
    expect(s.transcript()[2]).toBe('user: stop');
  });

  it.each(['mm-hm', 'yeah', 'right right', 'uh-huh', 'okay'])('"%s" does not stop it and leaves no message', (text) => {
    const s = speaking().speak(text, 400).wait(12_000);
    expect(s.transcript()).toEqual(['user: tell me about it', `persona: ${LONG}`]);
    expect(s.performed('speech.cut')).toEqual([]);
    expect(s.performed('speech.unduck')).toHaveLength(1);
  });

  it('a cough does not stop it', () => {
    const s = speaking().cough(300).wait(12_000);
    expect(s.transcript()).toEqual(['user: tell me about it', `persona: ${LONG}`]);
    expect(s.performed('speech.cut')).toEqual([]);
  });

  it('"yeah, but …" begins as a sign of listening and stops it when the rest comes', () => {
    const s = speaking().speak('yeah but how much is it', 1_500).wait(5_000);
    expect(s.transcript()[1]).toMatch(/\|$/);
    expect(s.transcript()[2]).toBe('user: yeah but how much is it');
  });

  it('without partial text a voice that goes on stops it', () => {
    const s = speaking();
    // A fresh session whose recognizer only gives finals.
    const t = new SimulatedSession().connect();
    t.engine.answer = s.engine.answer;
    t.wait(500).speak('tell me about it', 900, { partials: false }).wait(2_200);
    const begun = t.clock.now();
    t.speak('I have another question about that', 2_000, { partials: false }).wait(5_000);
    expect((t.timesOf('speech.cut')[0] ?? 0) - begun).toBeLessThanOrEqual(800);
    expect(t.transcript()[2]).toBe('user: I have another question about that');
  });

  /**
   * "Stop, please." did nothing, and the persona counted on to sixteen. "Stop" before the comma is one short vowel,
   * 10 dB below the same voice's sentences: it was taken for somebody across the room.
   */
  it.each([
    ['stop please', false],
    ['stop', false],
    ['no wait', true],
  ])('"%s" stops it also where it is said softly (partial text: %s)', (text, partials) => {
    const s = speaking().speak(text, 450, { partials, levelDb: -35.2 });
    const said = s.clock.now();
    s.wait(6_000);
    expect((s.timesOf('speech.cut')[0] ?? Infinity) - said).toBeLessThan(500);
    expect(s.transcript()[1]).toMatch(/\|$/);
    expect(s.transcript()[2]).toBe(`user: ${text}`);
  });

  it.each(['mm-hm', 'yeah', 'no put that down'])('"%s" said as softly does not', (text) => {
    const s = speaking().speak(text, 450, { levelDb: -35.2 }).wait(14_000);
    expect(s.performed('speech.cut')).toEqual([]);
  });

  it('a false interruption goes on with the same sentence at the first word that was not heard', () => {
    const t = new SimulatedSession().connect();
    t.engine.answer = () => ({ text: LONG });
    t.wait(500).speak('tell me about it', 900, { partials: false }).wait(2_200);
    // Loud music: a voice for the detector, and no words in the end.
    t.cough(1_200).wait(14_000);
    expect(t.performed('speech.cut')).toHaveLength(1);
    expect(t.transcript()).toEqual(['user: tell me about it', `persona: ${LONG}`]);
    const cutAt = t.timesOf('speech.cut')[0] ?? 0;
    const again = t.commands
      .filter(({ at }) => at > cutAt)
      .flatMap(({ command }) => (command.type === 'speech.say' ? [command.text] : []))
      .join(' ');
    expect(again).not.toBe(LONG);
    expect(LONG.endsWith(again)).toBe(true);
    expect(t.reports('turn')[0]?.turn).toMatchObject({ finishReason: 'completed' });
  });

  /** A chair on the floor is heard as "stop", half a second later as nothing: the rest of the answer was lost. */
  it.each([
    ['stop', ''],
    ['hey', ''],
    ['no', 'mm-hm'],
  ])('goes on where it was stopped by "%s" that proves to be "%s"', (partial, final) => {
    const s = speaking();
    s.beginToSpeak(partial, 400).wait(520);
    expect(s.performed('speech.cut')).toHaveLength(1);
    s.engine.finalText = final;
    s.wait(14_000);
    expect(s.transcript()).toEqual(['user: tell me about it', `persona: ${LONG}`]);
    expect(s.engine.heard.at(-1)?.text).toMatch(/in spring\.$/);
  });

  it('asks the LLM before the end of an interruption is certain, and with what was heard until then', () => {
    const s = speaking().speak('what about the price').wait(400);
    expect(s.transcript()).toHaveLength(2);
    expect(s.transcript()[1]).toMatch(/\|$/);
    const asked = s.engine.questions
      .at(-1)
      ?.messages.slice(-2)
      .map(({ role, content }) => `${role}: ${content}`);
    expect(asked?.[0]).toMatch(/^assistant: There are seven .* \[interrupted\]$/);
    expect(asked?.[1]).toBe('user: what about the price');
  });

  it('"yes" at the very end of a question is its answer', () => {
    const s = new SimulatedSession().connect();
    s.engine.answer = (_, index) => ({
      text: index === 0 ? 'I have a table at eight. Shall I book it for you?' : 'Booked.',
    });
    s.wait(500).speak('I need a table').wait(500);
    while (!s.speechChunks().some((chunk) => chunk.content.includes('book'))) s.wait(20);
    s.speak('yes', 300).wait(4_000);
    expect(s.transcript()).toEqual([
      'user: I need a table',
      'persona: I have a table at eight. Shall I book it for you?',
      'user: yes',
      'persona: Booked.',
    ]);
  });

  it('words while the answer is still being made replace it', () => {
    const s = new SimulatedSession({ delays: { llmFirstTokenMs: 2_500 } }).connect();
    s.engine.answer = (question) => ({ text: question.messages.at(-1)?.content === 'never mind' ? 'Fine.' : LONG });
    s.wait(500).speak('tell me about it').wait(1_500).speak('never mind', 800).wait(6_000);
    expect(s.transcript()).toEqual(['user: tell me about it', 'user: never mind', 'persona: Fine.']);
  });

  it('a cough while the answer is being made only holds it back', () => {
    const s = new SimulatedSession({ delays: { llmFirstTokenMs: 1_000 } }).connect();
    s.wait(500).speak('tell me a fact').wait(900).cough(900).wait(6_000);
    expect(s.transcript()).toEqual(['user: tell me a fact', 'persona: All right.']);
  });

  it('a tool with disableInterruptions protects the speech around it until it has ended', () => {
    const s = new SimulatedSession({
      config: { tools: [webhookTool('pay', { disableInterruptions: true })] },
      delays: { toolMs: 4_000 },
    }).connect();
    s.engine.answer = (question, index) =>
      index === 0
        ? { text: 'I am paying now, please hold the line for a moment.', calls: [{ name: 'pay' }] }
        : { text: question.messages.at(-1)?.role === 'tool' ? 'Paid.' : 'Too late.' };
    s.wait(500).speak('pay the bill').wait(2_500).speak('stop stop do not pay it', 1_500).wait(9_000);
    expect(s.transcript()).toEqual([
      'user: pay the bill',
      'persona: I am paying now, please hold the line for a moment. Paid.',
      'user: stop stop do not pay it',
      'persona: Too late.',
    ]);
    expect(s.messages('toolCallCompleted')).toHaveLength(1);
  });

  it('a user who talks on when the protection ends interrupts from then on', () => {
    const s = new SimulatedSession({
      config: { tools: [webhookTool('pay', { disableInterruptions: true })] },
      delays: { toolMs: 2_600 },
    }).connect();
    s.engine.answer = (_, index) => (index === 0 ? { text: LONG, calls: [{ name: 'pay' }] } : { text: 'Sure.' });
    s.wait(500)
      .speak('pay the bill')
      .wait(2_000)
      .speak('no no stop do not do that now I have changed my mind', 5_000)
      .wait(5_000);
    const completedAt =
      s.commands.find(
        ({ command }) => command.type === 'message.send' && command.message.messageType === 'toolCallCompleted',
      )?.at ?? 0;
    const cutAt = s.timesOf('speech.cut')[0] ?? 0;
    expect(cutAt).toBeGreaterThanOrEqual(completedAt);
    expect(cutAt - completedAt).toBeLessThan(1_000);
  });

  it('a typed message and the interrupt message stop speech at once', () => {
    for (const event of [{ type: 'client.text', content: 'hi' }, { type: 'client.interrupt' }] as const) {
      const s = speaking();
      s.dispatch(event);
      expect(s.timesOf('speech.cut')[0]).toBe(s.clock.now());
      expect(s.transcript()[1]).toMatch(/\|$/);
    }
  });

  it('a room that stays noisy does not keep the voice lowered', () => {
    const s = speaking();
    s.speak('hm', 200).wait(1_000);
    s.cough(6_000);
    const [lowered, raised] = [s.timesOf('speech.duck').at(-1) ?? 0, s.timesOf('speech.unduck').at(-1) ?? 0];
    expect(raised - lowered).toBeLessThanOrEqual(2_500);
  });
});
