import { describe, expect, it } from 'vitest';
import { SimulatedSession } from '../testing/simulated-session.ts';

/** A recognizer that takes `finalMs` for a final text. */
function begin(finalMs: number): SimulatedSession {
  return new SimulatedSession({ delays: { finalMs } }).connect().wait(500);
}

const users = (s: SimulatedSession): string[] => s.transcript().filter((line) => line.startsWith('user: '));

/**
 * On a starved machine the recognizer of a session needed 4 s for a text that nobody waits longer than 3 s for. The
 * turn was dropped as a mere sound, the words came and were thrown away, and the user was never answered.
 */
describe('words that come late', () => {
  it('are answered when they come', () => {
    const s = begin(4_000).speak('my name is robert', undefined, { partials: false }).wait(4_000);
    expect(users(s)).toEqual([]);
    s.wait(6_000);
    expect(users(s)).toEqual(['user: my name is robert']);
    expect(s.transcript().at(-1)).toMatch(/^persona: /);
  });

  it('are one message with what the user is saying by then', () => {
    const s = begin(4_000).speak('my name is robert', undefined, { partials: false }).wait(3_700);
    s.speak('did you hear me').wait(10_000);
    expect(users(s)).toEqual(['user: my name is robert did you hear me']);
  });

  it('of two turns in a row come in their order, each of them once', () => {
    const s = begin(7_000).speak('my name is robert', undefined, { partials: false }).wait(5_000);
    s.speak('what is your name', undefined, { partials: false }).wait(20_000);
    expect(users(s)).toEqual(['user: my name is robert', 'user: my name is robert what is your name']);
  });

  it('are no news when the turn was decided on the partial text, nor are they taken for those of the next turn', () => {
    const s = begin(5_000).speak('my name is robert').wait(4_200);
    expect(users(s)).toEqual(['user: my name is robert']);
    s.speak('what is your name').wait(20_000);
    expect(users(s)).toEqual(['user: my name is robert', 'user: what is your name']);
  });

  it('that are no words change nothing', () => {
    const s = begin(4_000).speak('hm', 300, { partials: false }).wait(20_000);
    expect(users(s)).toEqual([]);
  });

  it('of a pause in which the user went on belong to the turn, also when they come in the next pause', () => {
    const s = begin(700).speak('book a table', undefined, { partials: false }).wait(550);
    // The text was asked for before the end of the wait; the user goes on, and pauses again just before it comes.
    s.speak('for two', 200, { partials: false }).wait(10_000);
    expect(users(s)).toEqual(['user: book a table for two']);
  });
});

const LONG =
  'There are seven things to say about this, and the first one is rather long indeed. The second one is short. The third one is about the weather in spring.';

/** The persona is in the middle of a long answer, with a recognizer that gives no partial text. */
function speaking(finalMs: number): SimulatedSession {
  const s = new SimulatedSession({ delays: { finalMs } }).connect();
  s.engine.answer = (question) => ({
    text: question.messages.at(-1)?.content === 'tell me about it' ? LONG : 'Sure.',
  });
  return s
    .wait(500)
    .speak('tell me about it', undefined, { partials: false })
    .wait(finalMs + 2_200);
}

/**
 * A hosted recognizer took 1.7 s for "stop it". After 1.5 s the sound counted as no interruption, and whatever words came
 * then were thrown away: the persona spoke to its end, and the words were in no transcript.
 */
describe('words over the persona that come late', () => {
  it.each([1_700, 2_500, 4_000])('stop it when they come, after %d ms', (finalMs) => {
    const s = speaking(finalMs).speak('stop it', 500, { partials: false });
    const said = s.clock.now();
    s.wait(15_000);
    expect((s.timesOf('speech.cut')[0] ?? Infinity) - said).toBeLessThan(finalMs + 400);
    expect(s.transcript().slice(1)).toEqual([
      expect.stringMatching(/^persona: .*\|$/),
      'user: stop it',
      'persona: Sure.',
    ]);
  });

  it('do not keep its voice lowered', () => {
    const s = speaking(2_500).speak('stop it', 500, { partials: false }).wait(1_800);
    expect(s.performed('speech.unduck')).toHaveLength(1);
    expect(s.performed('speech.cut')).toEqual([]);
  });

  it.each(['mm-hm', 'yeah', ''])('change nothing if they are "%s"', (text) => {
    const s = speaking(1_700).speak(text, 500, { partials: false });
    s.wait(20_000);
    expect(s.transcript()).toEqual(['user: tell me about it', `persona: ${LONG}`]);
    expect(s.performed('speech.cut')).toEqual([]);
  });

  it('are answered afterwards if it has ended meanwhile', () => {
    const s = speaking(1_700);
    while (s.engine.heard.length < 2) s.wait(20);
    s.wait(1_200).speak('what about autumn', 900, { partials: false }).wait(12_000);
    expect(s.transcript().slice(-2)).toEqual(['user: what about autumn', 'persona: Sure.']);
  });

  it('stop it also while the user speaks again', () => {
    const s = speaking(1_700).speak('stop it', 400, { partials: false }).wait(1_500);
    s.speak('please', 400, { partials: false }).wait(12_000);
    expect(s.transcript()[1]).toMatch(/\|$/);
    expect(s.transcript()[2]).toBe('user: stop it please');
  });
});

/**
 * "What can you help me with" was answered from "what can you", and the transcript kept it: the recognizer of a busy
 * machine needed longer for the final text than anybody waits, and what it said then was thrown away.
 */
describe('words that were missing when the turn was decided', () => {
  const users = (s: SimulatedSession): string[] => [
    ...new Map(
      s
        .reports('message')
        .filter(({ message }) => message.role === 'user')
        .map(({ message }) => [message.messageId, message.text]),
    ).values(),
  ];

  /** Half of the sentence as partial text, all of it late. */
  function half(finalMs: number, firstSoundMs: number): SimulatedSession {
    const s = new SimulatedSession({ delays: { finalMs, voiceFirstAudioMs: firstSoundMs } }).connect().wait(500);
    s.engine.answer = ({ messages }) => ({ text: `To "${messages.at(-1)?.content}" I would say a lot of things.` });
    s.speak('what can you', 900).wait(100);
    s.engine.hear('help me with');
    return s;
  }

  it('begin the answer anew before it is heard; the transcript and the LLM have the whole sentence only', () => {
    const s = half(3_600, 2_500).wait(12_000);
    expect(users(s)).toEqual(['what can you help me with']);
    expect(s.engine.questions.at(-1)?.messages.map(({ content }) => content)).toContain('what can you help me with');
    expect(s.engine.questions.at(-1)?.messages.map(({ content }) => content)).not.toContain('what can you');
    expect(s.transcript().at(-1)).toBe('persona: To "what can you help me with" I would say a lot of things.');
  });

  it('stop the answer that is heard already, and are answered', () => {
    const s = half(4_500, 100).wait(15_000);
    expect(s.transcript()).toEqual([
      'user: what can you',
      expect.stringMatching(/^persona: To "what can you.*\|$/),
      'user: what can you help me with',
      'persona: To "what can you help me with" I would say a lot of things.',
    ]);
    expect(users(s)).toEqual(['what can you', 'what can you help me with']);
  });

  it('only mend the transcript where they mean the same', () => {
    const s = new SimulatedSession({ delays: { finalMs: 4_500 } }).connect().wait(500);
    s.speak('call them tomorrow').wait(100);
    s.engine.finalText = 'call then tomorrow';
    s.wait(15_000);
    expect(s.transcript()).toEqual(['user: call them tomorrow', 'persona: All right.']);
    expect(users(s)).toEqual(['call then tomorrow']);
  });
});
