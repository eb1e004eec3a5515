import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  DataPacket,
  JoinRequest,
  JoinResponse,
  ParticipantInfo,
  SessionDescription,
  SignalResponse,
  SignalTarget,
  TrickleRequest,
  WrappedJoinRequest,
} from '@livekit/protocol';
import { PeerConnection, type DataChannel } from 'node-datachannel';
import { WebSocketServer, type WebSocket } from 'ws';
import { AGENT, AVATAR, SimulatedAgent } from './simulated-agent.ts';

/** What the server does once the persona has joined. Each is done again and again, as fast as it is taken. */
export type Misdeed =
  | 'pings of the socket'
  | 'small signals'
  | 'large signals'
  | 'candidates'
  | 'nonsense'
  | 'calls'
  | 'segments'
  | 'speech'
  | 'strangers';

export interface HostileLivekit {
  readonly url: string;
  /** Of a participant that speaks for `AGENT`; nobody has signed it. */
  readonly token: string;
  /** What it could send. */
  sent(): number;
  /** Times that somebody joined. */
  joins(): number;
  close(): void;
}

/** Bytes that wait for a client that does not read. */
const UNREAD_BYTES = 4 * 1024 * 1024;
const AT_ONCE = 200;

const claims = {
  sub: AVATAR,
  video: { roomJoin: true, room: 'lobby' },
  attributes: { 'lk.publish_on_behalf': AGENT },
};

type Signal = NonNullable<ConstructorParameters<typeof SignalResponse>[0]>['message'];
const signal = (message: Signal): Uint8Array => new SignalResponse({ message: message! }).toBinary();
const crowd = (count: number): Uint8Array =>
  signal({
    case: 'update',
    value: { participants: Array.from({ length: count }, (_, at) => new ParticipantInfo({ identity: `p${at}` })) },
  });

/** What is sent over the socket of a room. */
const SIGNALS: Partial<Record<Misdeed, Uint8Array>> = {
  'small signals': crowd(1),
  // 3.9 MB: below what a message may have had.
  'large signals': crowd(350_000),
  candidates: signal({
    case: 'trickle',
    value: new TrickleRequest({
      candidateInit: JSON.stringify({ candidate: 'candidate:1 1 UDP 1 127.0.0.1 9 typ host', sdpMid: '0' }),
      target: SignalTarget.PUBLISHER,
    }),
  }),
  nonsense: new Uint8Array(2_000).fill(0xff),
};

/** A LiveKit server of an attacker: it answers as a real one does, and then floods whoever has joined. */
export async function startHostileLivekit(misdeed: Misdeed): Promise<HostileLivekit> {
  const counts = { sent: 0, joins: 0 };
  const open = new Set<() => void>();
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer();
  server.on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (ws) => {
      counts.joins += 1;
      const end = receive(ws, request, misdeed, () => (counts.sent += 1));
      open.add(end);
      ws.once('close', () => open.delete(end) && end());
    }),
  );
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`,
    sent: () => counts.sent,
    joins: () => counts.joins,
    close() {
      for (const end of open) end();
      for (const ws of sockets.clients) ws.terminate();
      server.close();
    },
  };
}

/** One stay. @returns ends it. */
function receive(ws: WebSocket, request: IncomingMessage, misdeed: Misdeed, count: () => void): () => void {
  const peer = new PeerConnection('sfu', { iceServers: [], maxMessageSize: 262_144 });
  let stage: 'open' | 'over' = 'open';
  const repeat = (step: () => void, unread: () => number): void => {
    if (stage === 'over') return;
    for (let at = 0; at < AT_ONCE && unread() < UNREAD_BYTES; at += 1) {
      step();
      count();
    }
    setTimeout(() => repeat(step, unread), 1);
  };
  const overSocket = (step: () => void): void => repeat(step, () => ws.bufferedAmount);
  peer.onLocalDescription((sdp, type) => {
    ws.send(signal({ case: 'join', value: new JoinResponse({ pingInterval: 10, pingTimeout: 60 }) }));
    ws.send(signal({ case: 'answer', value: new SessionDescription({ type, sdp }) }));
    const message = SIGNALS[misdeed];
    if (misdeed === 'pings of the socket') overSocket(() => ws.ping(Buffer.alloc(125)));
    else if (message !== undefined) overSocket(() => ws.send(message));
  });
  peer.onLocalCandidate((candidate, sdpMid) => {
    const candidateInit = JSON.stringify({ candidate: candidate.replace(/^a=/, ''), sdpMid, sdpMLineIndex: 0 });
    ws.send(signal({ case: 'trickle', value: { candidateInit, target: SignalTarget.PUBLISHER } }));
  });
  peer.onDataChannel((channel) => {
    if (channel.getLabel() !== '_reliable' || SIGNALS[misdeed] !== undefined) return;
    const step = overChannel(channel, misdeed);
    if (step !== null) repeat(step, () => channel.bufferedAmount());
  });
  ws.on('message', () => {});
  ws.on('error', () => {});
  peer.setRemoteDescription(offerIn(request), 'offer');
  return () => {
    if (stage === 'over') return;
    stage = 'over';
    peer.close();
  };
}

function overChannel(channel: DataChannel, misdeed: Misdeed): (() => void) | null {
  const send = (bytes: Uint8Array): void => {
    try {
      if (channel.isOpen()) channel.sendMessageBinary(bytes);
    } catch {
      // The other side has left a moment ago.
    }
  };
  const agent = new SimulatedAgent(send);
  const stranger = new DataPacket({ participantIdentity: 'stranger', value: { case: 'user', value: {} } });
  // Half a second: a message has at most 64 KiB.
  const sound = new Uint8Array(48_000);
  let [stream, index] = ['', 0];
  switch (misdeed) {
    case 'calls':
      return () => agent.call(`call-${(index += 1)}`, 'lk.clear_buffer');
    case 'segments':
      // The first one lasts, so that the others wait behind it.
      return () => {
        if (index === 0) agent.chunk(agent.open(), index, sound);
        else agent.open();
        index += 1;
      };
    case 'speech':
      return () => {
        if (stream === '') stream = agent.open();
        agent.chunk(stream, index++, sound);
      };
    case 'strangers':
      return () => send(stranger.toBinary());
    default:
      return null;
  }
}

function offerIn({ url = '' }: IncomingMessage): string {
  const wish = new URL(url, 'ws://room').searchParams.get('join_request') ?? '';
  const { joinRequest } = WrappedJoinRequest.fromBinary(Buffer.from(wish, 'base64url'));
  return JoinRequest.fromBinary(joinRequest).publisherOffer?.sdp ?? '';
}
