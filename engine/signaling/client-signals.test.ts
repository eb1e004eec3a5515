import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { parseClientSignal } from './client-signals.ts';

const SESSION = '6f1f3c1e-8a55-4c0d-9a53-0d6e1c1f7a10';
const parse = (actionType: string, payload: unknown, sessionId = SESSION) =>
  parseClientSignal(JSON.stringify({ actionType, sessionId, payload }), SESSION);

describe('what clients send on the signaling socket', () => {
  it('takes an offer, with the extra fields that clients add', () => {
    expect(parse('offer', { connectionDescription: { type: 'offer', sdp: 'v=0' }, userUid: SESSION })).toMatchObject({
      kind: 'signal',
      signal: { actionType: 'offer' },
    });
  });

  it.each([
    [
      'the browser’s form',
      { candidate: 'candidate:1 1 udp 1 10.0.0.1 5000 typ host', sdpMid: '0', sdpMLineIndex: 0, usernameFragment: 'x' },
    ],
    ['an end of candidates', { candidate: '', sdpMid: null }],
    ['the mobile form', { candidate: 'candidate:1', sdpMid: '0', address: '10.0.0.1', component: 'rtp', port: 5000 }],
  ])('takes a candidate: %s', (_name, payload) => {
    expect(parse('icecandidate', payload)).toMatchObject({ kind: 'signal' });
  });

  it.each(['', {}])('takes a heartbeat with payload %j', (payload) => {
    expect(parse('heartbeat', payload)).toMatchObject({ kind: 'signal', signal: { actionType: 'heartbeat' } });
  });

  it('takes a talk chunk of an older client that has no correlation id', () => {
    expect(
      parse('talkstream', { content: 'Hi', startOfSpeech: true, endOfSpeech: false, correlationId: null }),
    ).toMatchObject({ kind: 'signal' });
  });

  it('ignores what only servers send, and calls messages for other sessions, unknown actions and broken JSON junk', () => {
    expect(parse('answer', {})).toEqual({ kind: 'ignored' });
    expect(parse('heartbeat', '', '00000000-0000-4000-8000-000000000000').kind).toBe('junk');
    expect(parse('dance', {}).kind).toBe('junk');
    expect(parseClientSignal('{"actionType":', SESSION).kind).toBe('junk');
    expect(parse('agentaudioinput', { audioData: '!!', encoding: 'mp3', sampleRate: 1, sequenceNumber: -1 }).kind).toBe(
      'junk',
    );
  });

  // Each chunk of a voice of 8 kHz was junk, and after 200 of them (4 s) the socket was closed: the conversation was over.
  it.each([
    ['speech of a telephone voice', { encoding: 'pcm_s16le', sampleRate: 8_000 }],
    ['a rate that cannot be spoken', { encoding: 'pcm_s16le', sampleRate: 4_000 }],
    ['another encoding', { encoding: 'opus', sampleRate: 48_000 }],
    ['five channels', { encoding: 'pcm_s16le', sampleRate: 48_000, channels: 5 }],
  ])('does not count well-formed agent audio as junk: %s', (_name, format) => {
    expect(parse('agentaudioinput', { audioData: 'AAAA', sequenceNumber: 0, ...format })).toMatchObject({
      kind: 'signal',
      signal: { payload: format },
    });
  });

  it('never throws and never repeats content in the problem', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, text) => {
        parseClientSignal(JSON.stringify(value), SESSION);
        parseClientSignal(text, SESSION);
        const result = parse('talkstream', { content: { canary: 'canary-phrase' } });
        expect(JSON.stringify(result)).not.toContain('canary');
      }),
    );
  });

  it('calls what is nested too deep junk', () => {
    expect(
      parseClientSignal(`{"actionType":"heartbeat","payload":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, SESSION),
    ).toEqual({ kind: 'junk', problem: 'is nested more than 64 levels deep' });
  });
});
