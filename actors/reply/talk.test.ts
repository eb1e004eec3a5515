import { describe, expect, it } from 'vitest';
import type { EventOf } from '../events.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

type Chunk = EventOf<'client.talkChunk'>;

function chunk(content: string, more: Partial<Chunk> = {}): Chunk {
  return {
    type: 'client.talkChunk',
    content,
    startOfSpeech: false,
    endOfSpeech: false,
    correlationId: 'stream-a',
    utteranceId: null,
    ...more,
  };
}

const U1 = '11111111-1111-4111-8111-111111111111';
const U2 = '22222222-2222-4222-8222-222222222222';

describe('talk streams', () => {
  it('are spoken without the LLM, before their end arrives, under their own id', () => {
    const s = new SimulatedSession({ config: { llm: { kind: 'client' } } }).connect();
    s.dispatch(chunk('This is the first sentence. And this', { startOfSpeech: true }));
    expect(s.performed('speech.say').map((command) => command.text)).toEqual(['This is the first sentence.']);
    s.dispatch(chunk(' is the second.'));
    s.dispatch(chunk('', { endOfSpeech: true }));
    s.wait(6_000);
    expect(s.transcript()).toEqual(['persona: This is the first sentence. And this is the second.']);
    expect(
      s
        .speechChunks()
        .every((data) => data.correlationId === 'stream-a' && data.user_action_correlation_id === 'stream-a'),
    ).toBe(true);
    expect(s.reports('message')).toHaveLength(1);
    expect(s.engine.questions).toEqual([]);
  });

  it('enter the history as words of the persona', () => {
    const s = new SimulatedSession().connect();
    s.dispatch({ type: 'client.talk', content: 'The code is seven.' });
    s.wait(3_000).type('what was the code').wait(100);
    expect(s.engine.questions[0]?.messages.slice(1)).toEqual([
      { role: 'assistant', content: 'The code is seven.' },
      { role: 'user', content: 'what was the code' },
    ]);
  });

  it('are played one after the other, in the order of their first chunks', () => {
    const s = new SimulatedSession().connect();
    s.dispatch(chunk('First stream.', { startOfSpeech: true }));
    s.dispatch(chunk('Second stream.', { correlationId: 'stream-b', startOfSpeech: true, endOfSpeech: true }));
    s.wait(3_000).dispatch(chunk(' Still the first.', { endOfSpeech: true }));
    s.wait(6_000);
    expect(s.transcript()).toEqual(['persona: First stream. Still the first.', 'persona: Second stream.']);
  });

  it('carry their utterance ids, and one joining space in front of the second', () => {
    const s = new SimulatedSession().connect();
    s.dispatch(chunk('One here.', { startOfSpeech: true, utteranceId: U1 }));
    s.dispatch(chunk('Two here.', { utteranceId: U2 }));
    s.dispatch(chunk('', { endOfSpeech: true, utteranceId: U2 }));
    s.wait(5_000);
    const byUtterance = (id: string) =>
      s
        .speechChunks()
        .filter((data) => data.utterance_id === id)
        .map((data) => data.content)
        .join('');
    expect(byUtterance(U1)).toBe('One here.');
    expect(byUtterance(U2)).toBe(' Two here.');
    expect(s.transcript()).toEqual(['persona: One here. Two here.']);
  });

  it('have no utterance ids on older avatars', () => {
    const s = new SimulatedSession({
      config: { avatar: { avatarId: 'a', model: 'cara-3', engineKey: 'ada' } },
    }).connect();
    s.dispatch(chunk('One here.', { startOfSpeech: true, endOfSpeech: true, utteranceId: U1 }));
    s.wait(3_000);
    expect(s.speechChunks().some((data) => 'utterance_id' in data)).toBe(false);
  });

  it('that are interrupted are told of once each, and their late chunks are dropped', () => {
    const s = new SimulatedSession().connect();
    s.dispatch(chunk('This is a long sentence that goes on for quite a while.', { startOfSpeech: true }));
    s.dispatch(chunk('Another stream.', { correlationId: 'stream-b', startOfSpeech: true, endOfSpeech: true }));
    s.wait(1_500).dispatch({ type: 'client.interrupt' });
    s.dispatch(chunk(' More of it.', { endOfSpeech: true }));
    s.wait(5_000);
    expect(s.performed('signal.talkInterrupted').map((command) => command.correlationId)).toEqual([
      'stream-a',
      'stream-b',
    ]);
    expect(s.transcript()).toHaveLength(1);
    expect(s.transcript()[0]).toMatch(/^persona: This is a .*\|$/);
  });

  it('are stopped by a user who speaks', () => {
    const s = new SimulatedSession({ config: { llm: { kind: 'client' } } }).connect();
    s.dispatch(
      chunk('This is a long sentence that goes on for quite a while, and then some more of it.', {
        startOfSpeech: true,
        endOfSpeech: true,
      }),
    );
    s.wait(1_500).speak('excuse me what did you say').wait(3_000);
    expect(s.performed('signal.talkInterrupted')).toHaveLength(1);
    expect(s.transcript()[1]).toBe('user: excuse me what did you say');
  });

  it('without text for 15 s are closed; what came is spoken, what comes later is dropped', () => {
    const s = new SimulatedSession({
      config: {
        voiceDetection: { ...new SimulatedSession().config.voiceDetection, silenceBeforeSessionEndSeconds: 0 },
      },
    }).connect();
    s.dispatch(chunk('Only this', { startOfSpeech: true }));
    s.wait(10_000).dispatch(chunk(''));
    s.wait(4_900);
    expect(s.transcript()).toEqual([]);
    s.wait(3_000).dispatch(chunk(' and that.', { endOfSpeech: true }));
    s.wait(3_000);
    expect(s.transcript()).toEqual(['persona: Only this']);
  });
});

describe('hours of text in a talk stream', () => {
  const PAGE = 'This is a sentence that never seems to come to an end of its own. '.repeat(480);
  const patient = {
    voiceDetection: {
      ...new SimulatedSession().config.voiceDetection,
      silenceBeforeSkipTurnSeconds: 0,
      silenceBeforeSessionEndSeconds: 0,
    },
  };
  const session = () =>
    new SimulatedSession({ config: patient, delays: { voiceMsPerLetter: 1, voiceFirstAudioMs: 1 } }).connect().mute();

  it('are cut into sentences as the voice needs them, and spoken to their end', () => {
    const s = session();
    s.dispatch(chunk(PAGE, { startOfSpeech: true }));
    s.dispatch(chunk(PAGE, { endOfSpeech: true }));
    expect(s.performed('speech.say').length).toBeLessThanOrEqual(32);
    s.wait(120_000);
    expect(s.reports('message')[0]?.message.text).toBe((PAGE + PAGE).trim());
    expect(s.reports('turn')).toHaveLength(1);
  });

  it('are spoken in a talk command, too', () => {
    const s = session();
    s.dispatch({ type: 'client.talk', content: PAGE });
    s.wait(60_000);
    expect(s.reports('message')[0]?.message.text).toBe(PAGE.trim());
  });

  it('that come to their end without saying so are settled like any other', () => {
    const s = session();
    s.dispatch(chunk(PAGE.trim(), { startOfSpeech: true }));
    s.wait(60_000);
    expect(s.transcript()).toEqual([`persona: ${PAGE.trim()}`]);
  });

  it('are dropped by an interruption', () => {
    const s = session();
    s.dispatch(chunk(PAGE, { startOfSpeech: true }));
    s.wait(1_000).dispatch({ type: 'client.interrupt' });
    const said = s.performed('speech.say').length;
    s.wait(30_000);
    expect(s.performed('speech.say')).toHaveLength(said);
    expect(s.reports('message')[0]?.message.text.length).toBeLessThan(2_000);
  });

  it('in which there is hardly anything to say are looked through all the same', () => {
    const s = session();
    s.dispatch(chunk(`${'😀'.repeat(15_000)} Hello.`, { startOfSpeech: true, endOfSpeech: true }));
    s.wait(5_000);
    expect(s.transcript()).toEqual(['persona: Hello.']);
  });

  it('beyond what can be spoken in a day end with a warning', () => {
    const s = session();
    for (let pages = 0; pages < 10; pages += 1) s.dispatch(chunk(PAGE, { startOfSpeech: pages === 0 }));
    expect(s.performed('signal.warning').map((command) => command.text)).toEqual([
      'More text waits than a persona can speak: the end of a talk stream is left out.',
    ]);
    expect(s.performed('signal.warning').map(({ code }) => code)).toEqual(['talk_cut_short']);
    s.wait(1_000);
    expect(s.performed('speech.say').length).toBeGreaterThan(10);
  });

  it('are given up when the voice is', () => {
    const s = session();
    s.dispatch(chunk(PAGE, { startOfSpeech: true }));
    for (const { segmentId } of s.performed('speech.say').slice(0, 3))
      s.dispatch({ type: 'speech.failed', segmentId, message: 'The voice failed.' });
    s.wait(1_000);
    expect(s.reports('turn')).toHaveLength(1);
    s.dispatch(chunk(PAGE, { endOfSpeech: true }));
    s.wait(1_000);
    expect(s.reports('turn')).toHaveLength(1);
  });
});

describe('audio passthrough', () => {
  it("counts as the persona's speech for the floor and is cut by an interruption", () => {
    const s = new SimulatedSession({ config: { enableAudioPassthrough: true, llm: { kind: 'client' } } }).connect();
    s.dispatch({ type: 'passthrough.started' });
    expect(s.session.snapshot().floor).toBe('persona');
    s.wait(500).speak('stop I have a question', 1_200);
    expect(s.performed('speech.cut').length).toBeGreaterThan(0);
    expect(s.messages('speechText').filter((message) => message.data.role === 'persona')).toEqual([]);
  });

  it('is purged by the interrupt message', () => {
    const s = new SimulatedSession({ config: { enableAudioPassthrough: true, llm: { kind: 'client' } } }).connect();
    s.dispatch({ type: 'passthrough.started' });
    s.dispatch({ type: 'client.interrupt' });
    expect(s.performed('speech.cut')).toHaveLength(1);
  });

  it('that is not enabled is refused with one warning', () => {
    const s = new SimulatedSession().connect();
    for (let times = 0; times < 3; times += 1) s.dispatch({ type: 'passthrough.refused' });
    expect(s.performed('signal.warning').map((command) => command.text)).toEqual([
      'Audio passthrough is not enabled for this session.',
    ]);
  });

  it('of a format that cannot be spoken is refused with one warning that names the formats', () => {
    const s = new SimulatedSession({ config: { enableAudioPassthrough: true, llm: { kind: 'client' } } }).connect();
    for (const reason of ['format', 'full'] as const) s.dispatch({ type: 'passthrough.refused', reason });
    expect(s.performed('signal.warning').map((command) => command.text)).toEqual([
      expect.stringContaining('8000 to 48000 Hz'),
    ]);
  });
});
