import pino from 'pino';
import { describe, expect, it, vi } from 'vitest';
import type { PassthroughRefusal, SessionEvent } from '../../../actors/events.ts';
import type { ClientSignal, SignalingSocket } from '../../signaling/index.ts';
import { createSessionSignaling } from './session-signaling.ts';
import type { SessionMedia } from './session-media.ts';
import { MAX_WAITING_SIGNALS } from './waiting-signals.ts';

const OFFER: ClientSignal = { actionType: 'offer', payload: { connectionDescription: { type: 'offer', sdp: 'v=0' } } };
const HEARTBEAT: ClientSignal = { actionType: 'heartbeat' };
const UNAVAILABLE = 'Speech enhancement is unavailable; continuing without it.';

function openSignaling({ passthrough = 'taken' as 'taken' | PassthroughRefusal } = {}) {
  const dispatch = vi.fn<(event: SessionEvent) => void>();
  const connection = { heardAt: null, acceptOffer: () => ({ answer: 'v=0', kind: 'first' }) };
  const signaling = createSessionSignaling({
    sessionId: 'session',
    media: {
      connection,
      offerAnswered: vi.fn(),
      audioOut: { passthrough: () => passthrough },
    } as unknown as SessionMedia,
    dispatch,
    flood: { admits: () => true, close: () => {} },
    log: pino({ level: 'silent' }),
  });
  return {
    signaling,
    refusals: () => dispatch.mock.calls.filter(([event]) => event.type === 'passthrough.refused').flat(),
    /** The next socket of a client. `takes`: whether the network still carries messages on it. */
    connect() {
      const sent: string[] = [];
      const wire = { takes: true };
      const socket: SignalingSocket = {
        send: (action, payload) =>
          wire.takes && sent.push(typeof payload === 'string' ? `${action}: ${payload}` : action) > 0,
        end: ({ code, text }) => void sent.push(`endsession: ${code}: ${text}`),
        close: vi.fn(),
      };
      signaling.opened(socket);
      return {
        sent,
        wire,
        says: (signal: ClientSignal) => signaling.signal(signal, socket),
        hangsUp: () => signaling.closed(1000, true, socket),
      };
    },
  };
}

/**
 * The session found out at its start that the noise filter was missing, seconds before a client opened its socket:
 * nobody got the warning. A client also drops everything that arrives before it has made its own offer.
 */
describe('a warning', () => {
  it('from before the socket waits until the client has made its offer', () => {
    const { signaling, connect } = openSignaling();
    signaling.warn(UNAVAILABLE);
    const client = connect();
    expect(client.sent).toEqual([]);
    client.says(OFFER);
    expect(client.sent).toEqual(['answer', `warning: ${UNAVAILABLE}`]);
    signaling.warn('Another.');
    expect(client.sent.slice(2)).toEqual(['warning: Another.']);
  });

  it('from between two sockets reaches the next one, once that says something', () => {
    const { signaling, connect } = openSignaling();
    const first = connect();
    first.says(OFFER);
    first.hangsUp();
    signaling.warn(UNAVAILABLE);
    const second = connect();
    expect(second.sent).toEqual([]);
    const third = connect();
    third.says(HEARTBEAT);
    expect([first.sent, second.sent, third.sent]).toEqual([['answer'], [], [`warning: ${UNAVAILABLE}`]]);
  });

  it('that the socket no longer took goes to the one that replaces it', () => {
    const { signaling, connect } = openSignaling();
    const first = connect();
    first.says(OFFER);
    first.wire.takes = false;
    signaling.warn(UNAVAILABLE);
    const second = connect();
    second.says(HEARTBEAT);
    expect(second.sent).toEqual([`warning: ${UNAVAILABLE}`]);
  });

  it('waits once, and never pushes out what the client acts on', () => {
    const { signaling, connect } = openSignaling();
    signaling.ready();
    signaling.talkInterrupted('stream');
    for (let n = 0; n < 2 * MAX_WAITING_SIGNALS; n += 1) {
      signaling.warn('The same.');
      signaling.warn(`Warning ${n}.`);
    }
    const client = connect();
    client.says(HEARTBEAT);
    expect(client.sent.slice(0, 2)).toEqual(['sessionready', 'talkinputstreaminterrupted']);
    expect(client.sent).toHaveLength(MAX_WAITING_SIGNALS);
    expect(new Set(client.sent).size).toBe(MAX_WAITING_SIGNALS);
    expect(client.sent.at(-1)).toBe(`warning: Warning ${2 * MAX_WAITING_SIGNALS - 1}.`);
  });
});

it('nothing follows the goodbye', () => {
  const { signaling, connect } = openSignaling();
  const client = connect();
  client.says(OFFER);
  signaling.end({ code: 'stopped_by_api', text: 'Session was stopped.' });
  signaling.warn('The recording could not be finished.');
  client.says(HEARTBEAT);
  expect(client.sent).toEqual(['answer', 'endsession: stopped_by_api: Session was stopped.']);
});

it('sessionready waits for the socket as well: a client without it would wait for ever', () => {
  const { signaling, connect } = openSignaling();
  const first = connect();
  first.says(OFFER);
  first.hangsUp();
  signaling.ready();
  const second = connect();
  second.says(HEARTBEAT);
  expect(second.sent).toEqual(['sessionready']);
});

describe('agent audio that is not taken', () => {
  const chunk = (sampleRate: number, encoding = 'pcm_s16le'): ClientSignal => ({
    actionType: 'agentaudioinput',
    payload: { audioData: 'AAAA', encoding, channels: 1, sampleRate, sequenceNumber: 0 },
  });

  it('is reported once for each reason, however many chunks come', () => {
    const { signaling, connect, refusals } = openSignaling({ passthrough: 'disabled' });
    signaling.ready();
    const client = connect();
    for (let n = 0; n < 500; n += 1) client.says(chunk(8_000));
    for (let n = 0; n < 500; n += 1) client.says(chunk(8_000, 'opus'));
    expect(refusals()).toEqual([
      { type: 'passthrough.refused', reason: 'disabled' },
      { type: 'passthrough.refused', reason: 'format' },
    ]);
  });

  it('is not reported when it is taken, or comes before the session is ready', () => {
    const { signaling, connect, refusals } = openSignaling();
    const client = connect();
    client.says(chunk(8_000, 'opus'));
    signaling.ready();
    client.says(chunk(8_000));
    expect(refusals()).toEqual([]);
  });
});
