import {
  ClientInfo_SDK,
  DisconnectReason,
  JoinRequest,
  LeaveRequest_Action,
  ParticipantInfo_State,
  SignalRequest,
  SignalResponse,
  SignalTarget,
  TrackSource,
  TrackType,
  VideoQuality,
  WrappedJoinRequest,
} from '@livekit/protocol';
import { VERSION } from '../../runtime/version.ts';
import { AUDIO_TRACK, VIDEO_TRACK } from './publisher-offer.ts';

/**
 * The generation of LiveKit's signaling that is spoken here (`ClientInfo.protocol`). No newer form of data is announced
 * (`clientProtocol` 0), so agents send streams plain and uncompressed.
 */
const PROTOCOL = 16;
/** Names of the tracks, as LiveKit's own avatars call them. */
const AUDIO_NAME = 'avatar_audio';
const VIDEO_NAME = 'avatar_video';

/** What a server says, as far as it matters here. */
export type RoomSignal =
  | {
      readonly type: 'joined';
      /** ms */
      readonly pingEvery: number;
      /** Silence after which the server is gone, ms. */
      readonly pingTimeout: number;
      /** Identities of the others. */
      readonly present: readonly string[];
      readonly serverVersion: string;
    }
  | { readonly type: 'answer'; readonly sdp: string }
  | { readonly type: 'candidate'; readonly candidate: string }
  | { readonly type: 'participants'; readonly here: readonly string[]; readonly gone: readonly string[] }
  | { readonly type: 'token'; readonly token: string }
  /** `for good`: nobody is to come back. `reason`: LiveKit's name of it. */
  | { readonly type: 'leave'; readonly kind: 'for good' | 'come back'; readonly reason: string }
  | { readonly type: 'other' };

/** The first message, inside of the address: who comes, with which tracks, and the offer for them. */
export interface JoinWish {
  readonly sdp: string;
  readonly streamId: string;
  readonly video: { readonly width: number; readonly height: number; readonly bitrate: number; readonly ssrc: number };
}

/** @returns the address of the signaling socket. The token goes in a header. */
export function joinUrl(serverUrl: string, wish: JoinWish): string {
  const { width, height, bitrate, ssrc } = wish.video;
  const request = new JoinRequest({
    clientInfo: {
      sdk: ClientInfo_SDK.NODE,
      version: VERSION,
      protocol: PROTOCOL,
      clientProtocol: 0,
      os: process.platform,
    },
    connectionSettings: { autoSubscribe: false },
    addTrackRequests: [
      {
        cid: AUDIO_TRACK,
        name: AUDIO_NAME,
        type: TrackType.AUDIO,
        source: TrackSource.MICROPHONE,
        disableRed: true,
        stream: wish.streamId,
      },
      {
        cid: VIDEO_TRACK,
        name: VIDEO_NAME,
        type: TrackType.VIDEO,
        source: TrackSource.CAMERA,
        width,
        height,
        stream: wish.streamId,
        layers: [{ quality: VideoQuality.HIGH, width, height, bitrate, ssrc }],
        simulcastCodecs: [{ codec: 'vp8', cid: VIDEO_TRACK }],
      },
    ],
    publisherOffer: { type: 'offer', sdp: wish.sdp, id: 1 },
  });
  const wrapped = new WrappedJoinRequest({ joinRequest: request.toBinary() }).toBinary();
  const url = new URL(serverUrl);
  url.protocol = isSecure(url) ? 'wss:' : 'ws:';
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/rtc/v1`;
  url.search = '';
  // With its padding: the server decodes no other form.
  url.searchParams.set(
    'join_request',
    Buffer.from(wrapped).toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
  );
  return url.href;
}

export function isSecure(url: URL): boolean {
  return url.protocol === 'wss:' || url.protocol === 'https:';
}

/** @returns null for bytes that are no message. */
export function readSignal(bytes: Uint8Array): RoomSignal | null {
  try {
    return signalOf(SignalResponse.fromBinary(bytes).message);
  } catch {
    return null;
  }
}

function signalOf({ case: kind, value }: SignalResponse['message']): RoomSignal {
  switch (kind) {
    case 'join':
      return {
        type: 'joined',
        pingEvery: value.pingInterval * 1_000,
        pingTimeout: value.pingTimeout * 1_000,
        present: value.otherParticipants.map(({ identity }) => identity),
        serverVersion: value.serverInfo?.version ?? value.serverVersion,
      };
    case 'answer':
      return { type: 'answer', sdp: value.sdp };
    case 'trickle': {
      const { candidate }: { candidate?: unknown } = JSON.parse(value.candidateInit);
      return typeof candidate === 'string' ? { type: 'candidate', candidate } : { type: 'other' };
    }
    case 'update': {
      const isGone = ({ state }: { state: ParticipantInfo_State }) => state === ParticipantInfo_State.DISCONNECTED;
      const names = (some: typeof value.participants) => some.map(({ identity }) => identity);
      return {
        type: 'participants',
        here: names(value.participants.filter((one) => !isGone(one))),
        gone: names(value.participants.filter(isGone)),
      };
    }
    case 'refreshToken':
      return { type: 'token', token: value };
    case 'leave':
      return {
        type: 'leave',
        kind: value.action === LeaveRequest_Action.DISCONNECT && !value.canReconnect ? 'for good' : 'come back',
        reason: DisconnectReason[value.reason] ?? String(value.reason),
      };
    default:
      return { type: 'other' };
  }
}

export function writePing(now: number): Uint8Array {
  return new SignalRequest({
    message: { case: 'pingReq', value: { timestamp: BigInt(Math.floor(now)), rtt: 0n } },
  }).toBinary();
}

export function writeLeave(): Uint8Array {
  return new SignalRequest({
    message: {
      case: 'leave',
      value: { reason: DisconnectReason.CLIENT_INITIATED, action: LeaveRequest_Action.DISCONNECT },
    },
  }).toBinary();
}

/** @param candidate as in SDP, without `a=`: with it servers end the negotiation. */
export function writeCandidate(candidate: string, mid: string): Uint8Array {
  const candidateInit = JSON.stringify({ candidate, sdpMid: mid, sdpMLineIndex: 0 });
  return new SignalRequest({
    message: { case: 'trickle', value: { candidateInit, target: SignalTarget.PUBLISHER } },
  }).toBinary();
}
