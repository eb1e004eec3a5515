import { describe, expect, it } from 'vitest';
import { VOICE_DETECTION_DEFAULTS } from '../settings/voice-options.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

const LONG =
  'The first thing is quite long and takes its time. The second thing is longer still and goes on. The third thing ends it.';

function speaking(): SimulatedSession {
  const s = new SimulatedSession().connect();
  s.engine.answer = () => ({ text: LONG });
  return s.type('go on').wait(2_500);
}

/** The persona's part of the stored transcript. */
function spoken(s: SimulatedSession) {
  return s
    .reports('message')
    .map(({ message }) => message)
    .filter(({ role }) => role === 'persona');
}

function closed(s: SimulatedSession) {
  const at = s.timesOf('session.close')[0];
  return at === undefined ? null : { at, reason: s.performed('session.close')[0]?.reason };
}

describe('getting connected', () => {
  it('sessionready waits for peer, pipeline and data channel', () => {
    const s = new SimulatedSession();
    s.dispatch({ type: 'socket.opened' });
    s.dispatch({ type: 'offer.received', kind: 'first' });
    s.dispatch({ type: 'peer.connected', kind: 'first' });
    s.dispatch({ type: 'channel.opened' });
    s.wait(3_000);
    expect(s.performed('signal.ready')).toEqual([]);
    s.dispatch({ type: 'pipeline.ready' });
    expect(s.performed('signal.ready')).toHaveLength(1);
  });

  it('the channel is waited for five seconds at most', () => {
    const s = new SimulatedSession();
    for (const event of [
      { type: 'socket.opened' },
      { type: 'pipeline.ready' },
      { type: 'offer.received', kind: 'first' },
      { type: 'peer.connected', kind: 'first' },
    ] as const)
      s.dispatch(event);
    s.wait(4_999);
    expect(s.performed('signal.ready')).toEqual([]);
    s.wait(1);
    expect(s.performed('signal.ready')).toHaveLength(1);
  });

  it('nobody comes: the slot is free after 10 s', () => {
    expect(closed(new SimulatedSession().wait(31_000))).toEqual({ at: 10_000, reason: 'never_connected' });
  });

  it('a slow client whose socket takes nine seconds has the usual time for the rest', () => {
    const s = new SimulatedSession().wait(9_000);
    s.dispatch({ type: 'socket.opened' });
    s.wait(14_000).dispatch({ type: 'offer.received', kind: 'first' });
    expect(closed(s.wait(6_000))).toBeNull();
    expect(closed(s.wait(2_000))).toEqual({ at: 30_000, reason: 'never_connected' });
  });

  it('a socket without an offer is given up after 15 s, an offer without media after 30 s', () => {
    const s = new SimulatedSession();
    s.dispatch({ type: 'socket.opened' });
    expect(closed(s.wait(16_000))).toEqual({ at: 15_000, reason: 'never_connected' });
    const t = new SimulatedSession();
    t.dispatch({ type: 'socket.opened' });
    t.dispatch({ type: 'offer.received', kind: 'first' });
    expect(closed(t.wait(31_000))).toEqual({ at: 30_000, reason: 'never_connected' });
  });
});

describe('losing the connection', () => {
  it('a socket that closes is no end while media lives', () => {
    const s = new SimulatedSession().connect();
    s.dispatch({ type: 'socket.closed', code: 1000, clean: true });
    s.wait(10_000).speak('are you there').wait(4_000);
    expect(s.transcript()).toEqual(['user: are you there', 'persona: All right.']);
    expect(closed(s)).toBeNull();
  });

  it('a client that closes its peer is gone at once', () => {
    const s = new SimulatedSession().connect().wait(1_000);
    s.dispatch({ type: 'peer.closed' });
    s.wait(1);
    expect(closed(s)).toEqual({ at: 1_000, reason: 'client_disconnected' });
    expect(s.performed('session.close')[0]?.text).toBeNull();
  });

  it('silence on the wire holds the session for 60 s, then it is lost', () => {
    const s = new SimulatedSession().connect().wait(1_000);
    s.dispatch({ type: 'peer.quiet' });
    expect(s.session.snapshot().session).toBe('held');
    expect(closed(s.wait(61_000))).toEqual({ at: 61_000, reason: 'connection_lost' });
  });

  /**
   * A browser that leaves a page with a live call closes its sockets, may keep the page for the way back, and says no
   * other goodbye: the session was held for a minute and counted as lost.
   */
  describe('with a goodbye of the socket', () => {
    const GOODBYE = { type: 'socket.closed', code: 1001, clean: true } as const;
    const left = (): SimulatedSession => {
      const s = new SimulatedSession().connect().wait(1_000);
      s.dispatch(GOODBYE);
      s.wait(3_000).dispatch({ type: 'peer.quiet' });
      return s;
    };

    it('and then silence, a client has left: its session ends after 20 s', () => {
      expect(closed(left().wait(60_000))).toEqual({ at: 24_000, reason: 'client_disconnected' });
    });

    it('a page that the browser had kept goes on as it was', () => {
      const s = left().wait(15_000);
      s.dispatch({ type: 'peer.flowing', quietMs: 18_000 });
      s.dispatch({ type: 'socket.opened' });
      s.wait(30_000).speak('are you there').wait(4_000);
      expect(s.transcript()).toEqual(['user: are you there', 'persona: All right.']);
      expect(closed(s)).toBeNull();
    });

    it('a client that opens its socket again is waited for as one whose network broke', () => {
      const s = left().wait(15_000);
      s.dispatch({ type: 'socket.opened' });
      expect(closed(s.wait(59_000))).toBeNull();
      expect(closed(s.wait(2_000))).toMatchObject({ reason: 'connection_lost' });
    });

    it('a client that speaks on without a socket is held for 60 s when its network breaks later', () => {
      const s = new SimulatedSession().connect().wait(1_000);
      s.dispatch(GOODBYE);
      s.wait(10_000).dispatch({ type: 'peer.quiet' });
      expect(closed(s.wait(61_000))).toEqual({ at: 71_000, reason: 'connection_lost' });
    });

    it('a client that is already silent has left, unless it opens another one', () => {
      const silent = (): SimulatedSession => {
        const s = new SimulatedSession().connect().wait(1_000);
        s.dispatch({ type: 'peer.quiet' });
        s.wait(1_000).dispatch(GOODBYE);
        return s;
      };
      expect(closed(silent().wait(60_000))).toEqual({ at: 26_000, reason: 'client_disconnected' });
      const s = silent().wait(1_000);
      s.dispatch({ type: 'socket.opened' });
      expect(closed(s.wait(59_000))).toBeNull();
    });

    it.each([
      [1005, true, 'closes it to open another one'],
      [1006, false, 'lost it'],
      [1011, false, 'missed its pings'],
    ])('a client without it (%i) is held for 60 s: it %3$s', (code, clean) => {
      const s = new SimulatedSession().connect().wait(1_000);
      s.dispatch({ type: 'socket.closed', code, clean });
      s.wait(3_000).dispatch({ type: 'peer.quiet' });
      expect(closed(s.wait(61_000))).toEqual({ at: 64_000, reason: 'connection_lost' });
    });
  });

  it('speech in progress is finished into history where the line went dead, and not said again', () => {
    const s = speaking().wait(2_000);
    s.dispatch({ type: 'peer.quiet' });
    s.wait(10_000);
    const heard = s.transcript()[0] ?? '';
    expect(heard).toMatch(/^persona: The first thing .*\|$/);
    const questions = s.engine.questions.length;
    s.dispatch({ type: 'peer.flowing', quietMs: 13_000 });
    s.wait(10_000);
    expect(s.transcript()).toEqual([heard]);
    expect(s.engine.questions).toHaveLength(questions);
    s.speak('where were we').wait(500);
    expect(
      s.engine.questions
        .at(-1)
        ?.messages.some((message) => message.role === 'assistant' && message.content.endsWith('[interrupted]')),
    ).toBe(true);
  });

  /**
   * The path was cut after 0.8 s of sound, and the transcript held the three sentences that were sent until that was
   * noticed.
   */
  it('only what arrived counts as heard, whatever was sent until the silence was noticed', () => {
    const s = new SimulatedSession().connect();
    s.engine.answer = () => ({
      text: 'One two three. Four five six. Seven eight nine. Ten eleven twelve. And so on and so on.',
    });
    s.type('count').wait(2_000);
    const cutAt = s.clock.now();
    s.wait(400).dispatch({ type: 'peer.unresponsive', arrivedUpTo: cutAt });
    s.wait(2_600).dispatch({ type: 'peer.quiet', arrivedUpTo: cutAt });
    s.wait(10_000);
    const [heard] = s.transcript();
    expect(s.engine.heard.length).toBeGreaterThan(3);
    // "Seven" had been shown by the time at which an answer was missed: the client has it, so it counts.
    expect(heard).toBe('persona: One two three. Four five six. Seven|');
    const [message] = spoken(s);
    expect(`persona: ${message?.text}|`).toBe(heard);
    expect(message!.at + message!.speakingMs!).toBe(cutAt);
    s.dispatch({ type: 'peer.flowing', quietMs: 13_000 });
    s.wait(10_000);
    expect(s.transcript()).toEqual([heard]);
  });

  it('a reply that ends while the client does not answer is over when it answers again, and interrupted when it does not', () => {
    for (const [again, mark] of [
      [{ type: 'peer.responsive' }, ''],
      [{ type: 'peer.quiet' }, '|'],
    ] as const) {
      const s = new SimulatedSession().connect();
      s.engine.answer = () => ({ text: 'One two three four five six seven.' });
      s.type('count').wait(1_000).dispatch({ type: 'peer.unresponsive', arrivedUpTo: s.clock.now() });
      const shown = s.transcript();
      s.wait(2_900);
      expect(s.engine.isSpeaking).toBe(false);
      expect(s.transcript()).toEqual(shown);
      expect(spoken(s)).toEqual([]);
      s.dispatch(again);
      s.wait(1);
      const heard = spoken(s)[0]?.text;
      expect(s.transcript()).toEqual([`persona: ${heard}${mark}`]);
      expect(heard === 'One two three four five six seven.').toBe(again.type === 'peer.responsive');
    }
  });

  it('what nobody heard the beginning of is said when the client is back', () => {
    const s = new SimulatedSession().connect();
    const text = 'One two three. Four five six.';
    s.engine.answer = () => ({ text });
    s.type('count').wait(100).dispatch({ type: 'peer.unresponsive', arrivedUpTo: s.clock.now() });
    s.wait(2_500);
    expect(s.engine.heard).not.toEqual([]);
    s.dispatch({ type: 'peer.quiet', arrivedUpTo: 100 });
    s.wait(20_000);
    expect([s.transcript(), spoken(s)]).toEqual([[], []]);
    const backAt = s.clock.now();
    s.dispatch({ type: 'peer.flowing', quietMs: 22_500 });
    s.wait(5_000);
    expect(
      s.engine.heard
        .filter(({ from }) => from >= backAt)
        .map((audio) => audio.text)
        .join(' '),
    ).toBe(text);
    expect(s.transcript()).toEqual([`persona: ${text}`]);
    expect(spoken(s).map((message) => [message.text, message.at >= backAt])).toEqual([[text, true]]);
    expect(s.engine.questions).toHaveLength(1);
  });

  it('nothing new is said while the client is away; what was being thought is said when it is back', () => {
    const s = new SimulatedSession({ delays: { llmFirstTokenMs: 3_000 } }).connect();
    s.type('hello').wait(1_000).dispatch({ type: 'peer.quiet' });
    s.wait(20_000);
    expect(s.performed('speech.say')).toEqual([]);
    s.dispatch({ type: 'peer.connected', kind: 'renewed' });
    s.wait(3_000);
    expect(s.transcript()).toEqual(['persona: All right.']);
  });

  it('the silence timers stand still meanwhile', () => {
    const s = new SimulatedSession({
      config: {
        voiceDetection: {
          ...VOICE_DETECTION_DEFAULTS,
          silenceBeforeSkipTurnSeconds: 0,
          silenceBeforeSessionEndSeconds: 60,
        },
      },
    }).connect();
    s.wait(30_000).dispatch({ type: 'peer.quiet' });
    s.wait(40_000).dispatch({ type: 'peer.flowing', quietMs: 43_000 });
    expect(closed(s.wait(29_000))).toBeNull();
    expect(closed(s.wait(2_000))).toMatchObject({ at: 100_000, reason: 'user_inactivity' });
  });

  it('a replaced peer is told sessionready again, a renewed or restarted one is not', () => {
    const s = new SimulatedSession().connect();
    s.dispatch({ type: 'offer.received', kind: 'restart' });
    s.dispatch({ type: 'peer.connected', kind: 'renewed' });
    s.wait(6_000);
    expect(s.performed('signal.ready')).toHaveLength(1);
    s.dispatch({ type: 'offer.received', kind: 'replacement' });
    s.dispatch({ type: 'peer.connected', kind: 'replacement' });
    s.wait(200).dispatch({ type: 'channel.opened' });
    expect(s.performed('signal.ready')).toHaveLength(2);
  });

  it('a conversation goes on with its history after a page reload', () => {
    const s = new SimulatedSession().connect().type('my name is Bo').wait(3_000);
    s.dispatch({ type: 'peer.quiet' });
    s.wait(8_000).dispatch({ type: 'peer.connected', kind: 'replacement' });
    s.dispatch({ type: 'channel.opened' });
    s.type('what is my name').wait(100);
    expect(
      s.engine.questions
        .at(-1)
        ?.messages.filter((message) => message.role === 'user')
        .map((message) => message.content),
    ).toEqual(['my name is Bo', 'what is my name']);
  });

  describe('a client that comes back after a reload of its page', () => {
    const reloading = (): SimulatedSession => {
      const s = new SimulatedSession().connect().type('my name is Bo').wait(3_000);
      s.dispatch({ type: 'offer.received', kind: 'restart', resume: true });
      s.dispatch({ type: 'peer.closed' });
      return s;
    };

    it('has its session for 20 s after its peer closed', () => {
      const s = reloading().wait(19_000);
      expect(closed(s)).toBeNull();
      s.dispatch({ type: 'offer.received', kind: 'replacement', resume: true });
      s.dispatch({ type: 'peer.connected', kind: 'replacement' });
      s.dispatch({ type: 'channel.opened' });
      s.type('what is my name').wait(60_000);
      expect(s.engine.questions.at(-1)?.messages.map(({ content }) => content)).toContain('my name is Bo');
      expect(closed(s)).toBeNull();
    });

    it('has left after that', () => {
      const s = reloading();
      const at = s.clock.now();
      expect(closed(s.wait(60_000))).toMatchObject({ at: at + 20_000, reason: 'client_disconnected' });
    });

    it('ends at once when it hangs up', () => {
      const s = new SimulatedSession().connect();
      s.dispatch({ type: 'offer.received', kind: 'restart', resume: true });
      s.dispatch({ type: 'client.hangUp' });
      expect(closed(s.wait(100))).toMatchObject({ reason: 'client_disconnected' });
    });

    it('is told nothing while nobody is there', () => {
      const s = speaking();
      s.dispatch({ type: 'offer.received', kind: 'restart', resume: true });
      const before = s.messages('speechText').length;
      s.dispatch({ type: 'peer.closed' });
      s.wait(10_000);
      expect(s.messages('speechText').length).toBeLessThanOrEqual(before + 1);
      expect(spoken(s).at(-1)).toMatchObject({ interrupted: true });
    });
  });

  it('a microphone that falls silent in mid-word ends the utterance', () => {
    const s = new SimulatedSession().connect().wait(500);
    s.speak('hello is anyone', 900).mute().wait(5_000);
    expect(s.messages('userSpeechEnded')).toHaveLength(1);
    expect(s.transcript()[0]).toBe('user: hello is anyone');
  });
});
