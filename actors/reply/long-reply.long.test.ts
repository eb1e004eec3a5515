import { describe, expect, it } from 'vitest';
import { FlightRecorder } from '../recorder/flight-recorder.ts';
import { replay } from '../session/replay.ts';
import { decodeLog } from '../recorder/session-log.ts';
import { seededIds } from '../kernel/seeded-ids.ts';
import { testConfig } from '../testing/session-config.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';
import { MAX_ANSWER_LENGTH, MAX_REPLY } from './reply-length.ts';

const SENTENCE = 'This is a sentence that never seems to come to an end of its own. ';
const CUT_SHORT = 'The answer of the language model is longer than a persona can speak: its end is left out.';
const PATIENT = {
  voiceDetection: {
    ...testConfig().voiceDetection,
    silenceBeforeSkipTurnSeconds: 0,
    silenceBeforeSessionEndSeconds: 0,
  },
};
/** A thousand letters a second, so that the longest reply takes half a minute. */
const FAST_VOICE = { config: PATIENT, delays: { voiceMsPerLetter: 1 } };
const ALL_SAID_MS = 60_000;

/** A session whose LLM is the test's own: it has been asked, and has not answered yet. */
function asked(options: ConstructorParameters<typeof SimulatedSession>[0] = FAST_VOICE) {
  const s = new SimulatedSession(options).connect().mute();
  s.engine.answer = () => ({ afterMs: 1e9 });
  s.type('tell me a story').wait(10);
  const requestId = s.performed('llm.request')[0]?.requestId ?? '';
  const isCancelled = () => s.performed('llm.cancel').some((command) => command.requestId === requestId);
  const writes = (text: string, size = 256) => {
    for (let at = 0; at < text.length && !isCancelled(); at += size)
      s.dispatch({ type: 'llm.text', requestId, text: text.slice(at, at + size) });
  };
  return { s, requestId, writes, isCancelled };
}

const heard = (s: SimulatedSession) =>
  s
    .transcript()
    .find((line) => line.startsWith('persona: '))
    ?.slice('persona: '.length) ?? '';
const warnings = (s: SimulatedSession) => s.performed('signal.warning').map((command) => command.text);

describe('a reply without an end', () => {
  it.each([
    ['in tokens', 4],
    ['in one piece', 1_000_000],
  ])('of a million letters, %s, is spoken as far as anybody listens; its LLM is told to stop', (_, size) => {
    const { s, writes, isCancelled } = asked();
    writes(SENTENCE.repeat(1_000_000 / SENTENCE.length), size);
    expect(isCancelled()).toBe(true);
    s.wait(ALL_SAID_MS);
    const said = heard(s);
    expect(SENTENCE.repeat(600).startsWith(said)).toBe(true);
    expect(said.length).toBeGreaterThanOrEqual(MAX_REPLY.characters);
    expect(said.length).toBeLessThan(MAX_REPLY.characters + 1_000);
    expect(warnings(s)).toEqual([CUT_SHORT]);
    expect(s.performed('signal.warning').map(({ code }) => code)).toEqual(['reply_cut_short']);
    expect(s.reports('message').at(-1)?.message).toMatchObject({ role: 'persona', text: said, interrupted: false });
  });

  it('of the shortest sentences ends after so many of them', () => {
    const { s, writes, isCancelled } = asked();
    writes('Yes. '.repeat(100_000));
    expect(isCancelled()).toBe(true);
    s.wait(ALL_SAID_MS);
    expect(heard(s)).toBe('Yes. '.repeat(MAX_REPLY.segments).trim());
  });

  it('is not the end of the conversation', () => {
    const { s, writes } = asked();
    writes(SENTENCE.repeat(1_000));
    s.wait(ALL_SAID_MS);
    s.engine.answer = () => ({ text: 'Twelve.' });
    s.type('how many were they').wait(5_000);
    expect(s.transcript().at(-1)).toBe('persona: Twelve.');
  });

  it('that was thought of ahead waits for the turn, and is cut short all the same', () => {
    const s = new SimulatedSession(FAST_VOICE).connect();
    s.engine.answer = () => ({ text: SENTENCE.repeat(10), afterMs: 1e9 });
    s.speak('tell me a story please');
    while (s.performed('llm.request').length === 0) s.wait(10);
    const requestId = s.performed('llm.request')[0]?.requestId ?? '';
    expect(s.performed('message.send').some(({ message }) => message.messageType === 'speechText')).toBe(false);
    for (let times = 0; times < 1_000; times += 1) s.dispatch({ type: 'llm.text', requestId, text: SENTENCE });
    expect(s.performed('llm.cancel').map((command) => command.requestId)).toContain(requestId);
    s.mute().wait(ALL_SAID_MS);
    expect(heard(s).length).toBeGreaterThanOrEqual(MAX_REPLY.characters);
    expect(warnings(s)).toEqual([CUT_SHORT]);
  });

  it('that is interrupted keeps what was heard', () => {
    const { s, writes } = asked();
    writes(SENTENCE.repeat(1_000));
    s.wait(2_000).dispatch({ type: 'client.interrupt' });
    const said = heard(s);
    expect(said).toMatch(/^This is a sentence.*\|$/);
    expect(said.length).toBeLessThan(4_000);
  });

  it('replays to the same decisions', () => {
    const { s, writes } = asked({ ...FAST_VOICE, ids: seededIds('seed') });
    writes(SENTENCE.repeat(1_000));
    s.wait(ALL_SAID_MS);
    const lines: string[] = [];
    const recorder = new FlightRecorder(
      {
        software: 'test',
        startedAt: '2026-01-01T00:00:00.000Z',
        idSeed: 'seed',
        endOfTurnModelAvailable: false,
        config: s.config,
      },
      (line) => lines.push(line),
    );
    for (const recorded of s.recorded) recorder.event(recorded);
    expect(replay(decodeLog(lines.join(''))).decisions.map(({ command }) => command)).toEqual(
      s.commands.map(({ command }) => command),
    );
  });
});

describe('thoughts without an end', () => {
  it('are given up, with an apology', () => {
    const { s, requestId, isCancelled } = asked();
    for (let sent = 0; sent <= MAX_ANSWER_LENGTH; sent += 4_000)
      s.dispatch({ type: 'llm.reasoning', requestId, text: 'hm, '.repeat(1_000) });
    expect(isCancelled()).toBe(true);
    s.wait(5_000);
    expect(warnings(s)).toEqual(['The language model did not answer: its answer does not end']);
    expect(heard(s)).not.toBe('');
  });

  it('are given up in the text itself, too', () => {
    const { writes, isCancelled } = asked();
    writes(`<think>${'hm, '.repeat(MAX_ANSWER_LENGTH / 4)}`);
    expect(isCancelled()).toBe(true);
  });
});

describe('the voice', () => {
  it('is never sent more than a few sentences ahead', () => {
    const { s, writes } = asked();
    writes(SENTENCE.repeat(300));
    const [before] = [s.performed('speech.say').length];
    expect(before).toBeLessThanOrEqual(32);
    s.wait(1_000);
    const finished = s.engine.heard.length;
    expect(finished).toBeGreaterThan(5);
    expect(s.performed('speech.say')).toHaveLength(before + finished);
  });

  it('that fails sentence after sentence is given up, and so is the LLM that writes them', () => {
    const { s, writes, isCancelled } = asked();
    writes(SENTENCE.repeat(20));
    for (const { segmentId } of s.performed('speech.say').slice(0, 3))
      s.dispatch({ type: 'speech.failed', segmentId, message: 'The voice failed.' });
    expect(isCancelled()).toBe(true);
    expect(s.performed('speech.cut')).toHaveLength(1);
    expect(warnings(s)).toEqual(['Speech synthesis failed: The voice failed.']);
    s.wait(5_000);
    expect(s.reports('turn')).toHaveLength(1);
  });

  it('that fails now and then is not', () => {
    const { s, writes, isCancelled } = asked();
    writes(SENTENCE.repeat(20));
    const [first, second] = s.performed('speech.say');
    for (const lost of [first, second])
      s.dispatch({ type: 'speech.failed', segmentId: lost?.segmentId ?? '', message: 'The voice failed.' });
    s.wait(500);
    expect(isCancelled()).toBe(false);
    expect(heard(s)).toContain('This is a sentence');
  });

  it('that says nothing for half a minute is given up', () => {
    const { s, requestId, writes, isCancelled } = asked({ config: PATIENT, delays: { voiceFirstAudioMs: 1e9 } });
    for (let seconds = 0; seconds < 40; seconds += 5) {
      if (seconds < 10) writes(SENTENCE.repeat(3));
      s.wait(5_000);
      if (seconds < 25) s.dispatch({ type: 'llm.reasoning', requestId, text: 'hm' });
    }
    expect(isCancelled()).toBe(true);
  });

  it('that breaks off in mid-sentence is not waited for', () => {
    const { s, requestId } = asked({});
    s.dispatch({ type: 'llm.text', requestId, text: 'There was a king who had three daughters. ' });
    s.dispatch({ type: 'llm.done', requestId });
    s.wait(1_000);
    s.dispatch({
      type: 'speech.failed',
      segmentId: s.performed('speech.say')[0]?.segmentId ?? '',
      message: 'The voice failed.',
    });
    s.wait(1);
    expect(heard(s)).toMatch(/^There was a king/);
    expect(s.reports('turn')).toHaveLength(1);
  });
});
