import {
  DisconnectReason,
  JoinRequest,
  LeaveRequest_Action,
  ParticipantInfo_State,
  SignalRequest,
  SignalResponse,
  WrappedJoinRequest,
} from '@livekit/protocol';
import { describe, expect, it } from 'vitest';
import { joinUrl, readSignal, writeCandidate, writeLeave, writePing } from './signal-messages.ts';

const wish = { sdp: 'v=0', streamId: 'parley', video: { width: 640, height: 360, bitrate: 800_000, ssrc: 7 } };
const signal = (message: SignalResponse['message']) => readSignal(new SignalResponse({ message }).toBinary());
const request = (bytes: Uint8Array) => SignalRequest.fromBinary(bytes).message;

describe('signaling of LiveKit', () => {
  it('asks to join with both tracks and the offer in one address', () => {
    const url = new URL(joinUrl('https://rooms.example.com/eu/', wish));
    expect(`${url.protocol}//${url.host}${url.pathname}`).toBe('wss://rooms.example.com/eu/rtc/v1');
    const wrapped = WrappedJoinRequest.fromBinary(Buffer.from(url.searchParams.get('join_request')!, 'base64url'));
    const join = JoinRequest.fromBinary(wrapped.joinRequest);
    expect(join.publisherOffer).toMatchObject({ type: 'offer', sdp: 'v=0' });
    expect(join.connectionSettings?.autoSubscribe).toBe(false);
    // A newer protocol would let agents compress their streams.
    expect(join.clientInfo).toMatchObject({ clientProtocol: 0, capabilities: [] });
    expect(join.addTrackRequests.map(({ name, width, height }) => ({ name, width, height }))).toEqual([
      { name: 'avatar_audio', width: 0, height: 0 },
      { name: 'avatar_video', width: 640, height: 360 },
    ]);
  });

  it('keeps the scheme of a server without TLS, and puts no token into the address', () => {
    expect(joinUrl('http://127.0.0.1:7880', wish)).toMatch(/^ws:\/\/127\.0\.0\.1:7880\/rtc\/v1\?join_request=/u);
    expect(joinUrl('ws://127.0.0.1:7880/?token=x', wish)).not.toContain('token');
  });

  it('reads who is there, and who comes and goes', () => {
    expect(
      signal({
        case: 'join',
        value: { pingInterval: 5, pingTimeout: 15, otherParticipants: [{ identity: 'agent-1' }] } as never,
      }),
    ).toMatchObject({ type: 'joined', pingEvery: 5_000, pingTimeout: 15_000, present: ['agent-1'] });
    const participants = [
      { identity: 'a', state: ParticipantInfo_State.ACTIVE },
      { identity: 'b', state: ParticipantInfo_State.DISCONNECTED },
    ];
    expect(signal({ case: 'update', value: { participants } as never })).toEqual({
      type: 'participants',
      here: ['a'],
      gone: ['b'],
    });
  });

  it.each([
    ['DUPLICATE_IDENTITY', LeaveRequest_Action.DISCONNECT, false, 'for good'],
    ['ROOM_DELETED', LeaveRequest_Action.DISCONNECT, false, 'for good'],
    ['SERVER_SHUTDOWN', LeaveRequest_Action.RECONNECT, true, 'come back'],
    ['STATE_MISMATCH', LeaveRequest_Action.RESUME, false, 'come back'],
    // As servers before 1.5 say it.
    ['SERVER_SHUTDOWN', LeaveRequest_Action.DISCONNECT, true, 'come back'],
  ] as const)('reads whether to come back: %s, action %i, %s', (reason, action, canReconnect, kind) => {
    const value = { reason: DisconnectReason[reason], action, canReconnect } as never;
    expect(signal({ case: 'leave', value })).toEqual({ type: 'leave', kind, reason });
  });

  it('reads a new token, candidates, and nothing of what is broken', () => {
    expect(signal({ case: 'refreshToken', value: 'new' })).toEqual({ type: 'token', token: 'new' });
    const trickle = (candidateInit: string) => signal({ case: 'trickle', value: { candidateInit } as never });
    expect(trickle('{"candidate":"candidate:1"}')).toEqual({ type: 'candidate', candidate: 'candidate:1' });
    expect(trickle('{"candidate":7}')).toEqual({ type: 'other' });
    expect(trickle('{')).toBeNull();
    expect(readSignal(Uint8Array.of(0xff, 0x01))).toBeNull();
  });

  it('writes what a server understands', () => {
    expect(request(writePing(1_234.5))).toMatchObject({ case: 'pingReq', value: { timestamp: 1_234n } });
    expect(request(writeLeave())).toMatchObject({
      case: 'leave',
      value: { reason: DisconnectReason.CLIENT_INITIATED },
    });
    const { value } = request(writeCandidate('candidate:1', '0'));
    expect(JSON.parse((value as { candidateInit: string }).candidateInit)).toMatchObject({
      candidate: 'candidate:1',
      sdpMid: '0',
    });
  });
});
