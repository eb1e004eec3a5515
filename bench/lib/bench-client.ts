import { once } from 'node:events';
import { WebSocket } from 'ws';
import {
  openLoopbackClient,
  type LoopbackClient,
  type LoopbackClientOptions,
} from '../../engine/transport/testing/loopback-client.ts';
import { engineNow } from '../../runtime/clock.ts';
import { openMicrophone, type Microphone } from './microphone.ts';

export interface BenchClientOptions extends LoopbackClientOptions {
  /** Changes the answer of the service, so that media takes another way. */
  readonly route?: (answer: string) => string;
  /** What it does while nobody speaks: it sends silence, or hardly anything (DTX). @defaultValue 'sends' */
  readonly microphone?: 'sends' | 'rests';
  /** Whether it also comes back when no sound has come for a while, as browsers whose path is dead. @defaultValue false */
  readonly noticesSilence?: boolean;
  /** Called when it has offered another peer connection, because its session goes on in another process. */
  onComeBack?(): void;
}

export interface Signal {
  readonly actionType: string;
  readonly payload: unknown;
}

export interface BenchClient {
  /** Resolves at `sessionready`, when messages can be sent. Rejects when the session ends before. */
  readonly ready: Promise<void>;
  readonly say: Microphone['say'];
  sendMessage(text: string): boolean;
  /** Of its own candidates, the kind that is in use, for example `relay`; null: none yet. */
  path(): string | null;
  /** All that the service has sent on the signaling socket. */
  readonly signals: readonly Signal[];
  signal(actionType: string, payload: unknown): void;
  readonly signaling: WebSocket;
  /** Why the service ended the session. Null: it has not ended. */
  ended(): string | null;
  /** Sends a bandwidth estimate, as a browser does. @returns false before the first video frame. */
  allowBitrate(bitsPerSecond: number): boolean;
  close(): void;
}

/** A service that restarts, and a connection that broke without a word, as of a killed process. */
const MOVED: ReadonlySet<number> = new Set([1012, 1006]);

/** A service that moves a session may say for some seconds that it is not there yet, ms between two tries. */
const COME_BACK_EVERY_MS = 100;
/** A socket that does not open by then is tried again, as the public client does it, ms. */
const OPEN_WITHIN_MS = 5_000;
/** The service holds a session for 60 s. */
const COME_BACK_TRIES = 600;
/** A browser notices a path that says nothing after 5 to 7 s, ms. */
const SILENCE_MS = 6_000;
/** A browser's connection fails after 15 s without an answer. */
const CONNECTED_WITHIN_MS = 15_000;

/**
 * One user: signaling, media and a microphone. When its socket is closed because its session goes on in another process, it
 * comes back with another peer connection. Rejects when the session ends before it is connected.
 */
export async function openBenchClient(
  url: string,
  sessionId: string,
  options: BenchClientOptions = {},
): Promise<BenchClient> {
  let framesSsrc: number | null = null;
  const ready = Promise.withResolvers<void>();
  const refused = Promise.withResolvers<never>();
  const signals: Signal[] = [];
  const { route = (answer) => answer } = options;
  // A session that ends later is told by `ended`.
  for (const { promise } of [refused, ready]) promise.catch(() => undefined);
  /** Connections to processes that it has left, or perhaps has. */
  const left: LoopbackClient[] = [];
  let life: 'here' | 'coming back' | 'closed' = 'here';
  let heardAt = engineNow();
  let line = await connect();

  /** A socket and a peer connection. Rejects when the socket does not open. */
  async function connect() {
    const socket = new WebSocket(`${url}?session_id=${sessionId}`, { handshakeTimeout: OPEN_WITHIN_MS });
    // A service that ends is noticed when no packets come any more.
    socket.on('error', () => undefined);
    await once(socket, 'open');
    const client = openLoopbackClient({
      ...options,
      onAudio(packet) {
        heardAt = engineNow();
        options.onAudio?.(packet);
      },
      onVideo(packet) {
        framesSsrc = packet.ssrc;
        options.onVideo?.(packet);
      },
    });
    socket.on('message', (data) => {
      const signal = JSON.parse(String(data)) as Signal;
      signals.push(signal);
      if (signal.actionType === 'answer') client.acceptAnswer(route((signal.payload as { sdp: string }).sdp));
      if (signal.actionType === 'sessionready') ready.resolve();
      if (signal.actionType !== 'endsession') return;
      const error = new Error(`The session ended: ${String(signal.payload)}`);
      refused.reject(error);
      ready.reject(error);
    });
    socket.once('close', (code) => {
      if (MOVED.has(code) && life === 'here') void comeBack();
    });
    const payload = { connectionDescription: { type: 'offer', sdp: client.offer }, userUid: sessionId };
    socket.send(JSON.stringify({ actionType: 'offer', sessionId, payload }));
    return { socket, client };
  }

  async function comeBack(): Promise<void> {
    const before = line;
    life = 'coming back';
    for (let tries = 0; tries < COME_BACK_TRIES && isComingBack(); tries += 1) {
      const next = await connect().catch(() => null);
      if (next !== null && !isComingBack()) {
        next.client.close();
        return next.socket.close();
      }
      if (next !== null) {
        line = next;
        life = 'here';
        options.onComeBack?.();
        // Not earlier: to a process that has not seen the offer yet, this is a client that hangs up.
        left.push(before.client);
        return void isConnected(next.client).then((is) => {
          if (is) leaveOthers();
          // As a browser, whose connection has failed: it offers again.
          else if (life === 'here' && line === next) void comeBack();
        });
      }
      await new Promise((resolve) => setTimeout(resolve, COME_BACK_EVERY_MS));
    }
  }
  const leaveOthers = (): void => {
    for (const client of left.splice(0)) client.close();
  };
  const isComingBack = (): boolean => life === 'coming back';

  const signal = (actionType: string, payload: unknown): void =>
    line.socket.send(JSON.stringify({ actionType, sessionId, payload }));
  await Promise.race([line.client.connected, refused.promise]);

  const microphone = openMicrophone(
    (payload, sequence, at) => line.client.sendOpus(payload, sequence, at),
    options.microphone ?? 'sends',
  );

  const silence = options.noticesSilence === true ? setInterval(noticeSilence, SILENCE_MS / 6) : undefined;
  function noticeSilence(): void {
    if (life !== 'here' || engineNow() - heardAt < SILENCE_MS) return;
    heardAt = engineNow();
    void comeBack();
  }

  return {
    ready: Promise.all([ready.promise, line.client.channelOpen]).then(() => undefined),
    say: (sentence, onSent) => microphone.say(sentence, onSent),
    // What it says to a process that it has left is lost.
    sendMessage: (text) => life === 'here' && line.client.sendMessage(text),
    path: () => line.client.path(),
    signals,
    signal,
    get signaling() {
      return line.socket;
    },
    ended() {
      const end = signals.find(({ actionType }) => actionType === 'endsession');
      return end === undefined ? null : String(end.payload);
    },
    allowBitrate: (bitsPerSecond) => framesSsrc !== null && line.client.sendRtcp(maxBitrate(bitsPerSecond, framesSsrc)),
    close() {
      life = 'closed';
      clearInterval(silence);
      microphone.close();
      leaveOthers();
      line.client.close();
      line.socket.close();
    },
  };
}

/** Resolves when it is connected, or will not be. */
async function isConnected({ connected }: LoopbackClient): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), CONNECTED_WITHIN_MS).unref());
  return Promise.race([
    connected.then(
      () => true,
      () => false,
    ),
    late,
  ]);
}

/** RTCP "receiver estimated maximum bitrate": the rate as 18 bits and an exponent of two. */
function maxBitrate(bitsPerSecond: number, ssrc: number): Buffer {
  const exponent = Math.max(0, Math.ceil(Math.log2(bitsPerSecond / 2 ** 18)));
  const packet = Buffer.alloc(24);
  packet.set([0x8f, 206, 0, 5]);
  packet.writeUInt32BE(1, 4);
  packet.write('REMB', 12, 'latin1');
  packet[16] = 1;
  packet.writeUIntBE((exponent << 18) | Math.floor(bitsPerSecond / 2 ** exponent), 17, 3);
  packet.writeUInt32BE(ssrc, 20);
  return packet;
}
