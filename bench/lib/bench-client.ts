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
  const user = new BenchUser(url, sessionId, options);
  const first = await user.begin();
  const microphone = openMicrophone(
    (payload, sequence, at) => user.line.client.sendOpus(payload, sequence, at),
    options.microphone ?? 'sends',
  );
  const silence = options.noticesSilence === true ? setInterval(() => user.noticeSilence(), SILENCE_MS / 6) : undefined;
  return {
    ready: Promise.all([user.ready, first.channelOpen]).then(() => undefined),
    say: (sentence, onSent) => microphone.say(sentence, onSent),
    sendMessage: (text) => user.sendMessage(text),
    path: () => user.line.client.path(),
    signals: user.signals,
    signal: (actionType, payload) => user.signal(actionType, payload),
    get signaling() {
      return user.line.socket;
    },
    ended() {
      const end = user.signals.find(({ actionType }) => actionType === 'endsession');
      return end === undefined ? null : String(end.payload);
    },
    allowBitrate: (bitsPerSecond) => user.allowBitrate(bitsPerSecond),
    close() {
      clearInterval(silence);
      microphone.close();
      user.close();
    },
  };
}

interface Line {
  readonly socket: WebSocket;
  readonly client: LoopbackClient;
}

/** The connections of one user, from one process to the next. */
class BenchUser {
  readonly signals: Signal[] = [];
  readonly #url: string;
  readonly #sessionId: string;
  readonly #options: BenchClientOptions;
  readonly #ready = Promise.withResolvers<void>();
  readonly #refused = Promise.withResolvers<never>();
  /** Connections to processes that it has left, or perhaps has. */
  readonly #left: LoopbackClient[] = [];
  #life: 'here' | 'coming back' | 'closed' = 'here';
  #heardAt = engineNow();
  #framesSsrc: number | null = null;
  #line: Line | null = null;

  constructor(url: string, sessionId: string, options: BenchClientOptions) {
    this.#url = url;
    this.#sessionId = sessionId;
    this.#options = options;
    // A session that ends later is told by `ended`.
    for (const { promise } of [this.#refused, this.#ready]) promise.catch(() => undefined);
  }

  /** Resolves at `sessionready`. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** After `begin`. */
  get line(): Line {
    return this.#line!;
  }

  /** Resolves when it is connected. Rejects when the session ends before. */
  async begin(): Promise<LoopbackClient> {
    this.#line = await this.#connect();
    const { client } = this.#line;
    await Promise.race([client.connected, this.#refused.promise]);
    return this.line.client;
  }

  signal(actionType: string, payload: unknown): void {
    this.line.socket.send(JSON.stringify({ actionType, sessionId: this.#sessionId, payload }));
  }

  /** What it says to a process that it has left is lost. */
  sendMessage(text: string): boolean {
    return this.#life === 'here' && this.line.client.sendMessage(text);
  }

  allowBitrate(bitsPerSecond: number): boolean {
    return this.#framesSsrc !== null && this.line.client.sendRtcp(maxBitrate(bitsPerSecond, this.#framesSsrc));
  }

  noticeSilence(): void {
    if (this.#life !== 'here' || engineNow() - this.#heardAt < SILENCE_MS) return;
    this.#heardAt = engineNow();
    void this.#comeBack();
  }

  close(): void {
    this.#life = 'closed';
    this.#leaveOthers();
    this.line.client.close();
    this.line.socket.close();
  }

  /** A socket and a peer connection. Rejects when the socket does not open. */
  async #connect(): Promise<Line> {
    const socket = new WebSocket(`${this.#url}?session_id=${this.#sessionId}`, { handshakeTimeout: OPEN_WITHIN_MS });
    // A service that ends is noticed when no packets come any more.
    socket.on('error', () => undefined);
    await once(socket, 'open');
    const client = this.#openMedia();
    socket.on('message', (data) => this.#take(JSON.parse(String(data)) as Signal, client));
    socket.once('close', (code) => {
      if (MOVED.has(code) && this.#life === 'here') void this.#comeBack();
    });
    const payload = { connectionDescription: { type: 'offer', sdp: client.offer }, userUid: this.#sessionId };
    socket.send(JSON.stringify({ actionType: 'offer', sessionId: this.#sessionId, payload }));
    return { socket, client };
  }

  #openMedia(): LoopbackClient {
    const options = this.#options;
    return openLoopbackClient({
      ...options,
      onAudio: (packet) => {
        this.#heardAt = engineNow();
        options.onAudio?.(packet);
      },
      onVideo: (packet) => {
        this.#framesSsrc = packet.ssrc;
        options.onVideo?.(packet);
      },
    });
  }

  #take(signal: Signal, client: LoopbackClient): void {
    const { route = (answer) => answer } = this.#options;
    this.signals.push(signal);
    if (signal.actionType === 'answer') client.acceptAnswer(route((signal.payload as { sdp: string }).sdp));
    if (signal.actionType === 'sessionready') this.#ready.resolve();
    if (signal.actionType !== 'endsession') return;
    const error = new Error(`The session ended: ${String(signal.payload)}`);
    this.#refused.reject(error);
    this.#ready.reject(error);
  }

  async #comeBack(): Promise<void> {
    const before = this.line;
    this.#life = 'coming back';
    for (let tries = 0; tries < COME_BACK_TRIES && this.#isComingBack(); tries += 1) {
      const next = await this.#connect().catch(() => null);
      if (next !== null && !this.#isComingBack()) {
        next.client.close();
        return next.socket.close();
      }
      if (next !== null) return this.#settle(next, before);
      await new Promise((resolve) => setTimeout(resolve, COME_BACK_EVERY_MS));
    }
  }

  #settle(next: Line, before: Line): void {
    this.#line = next;
    this.#life = 'here';
    this.#options.onComeBack?.();
    // Not earlier: to a process that has not seen the offer yet, this is a client that hangs up.
    this.#left.push(before.client);
    void isConnected(next.client).then((is) => {
      if (is) this.#leaveOthers();
      // As a browser, whose connection has failed: it offers again.
      else if (this.#life === 'here' && this.#line === next) void this.#comeBack();
    });
  }

  #leaveOthers(): void {
    for (const client of this.#left.splice(0)) client.close();
  }

  #isComingBack(): boolean {
    return this.#life === 'coming back';
  }
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
