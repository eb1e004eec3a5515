import type { Socket } from 'node:net';
import { WebSocket, type RawData } from 'ws';
import type { Timers } from '../../runtime/clock.ts';
import { type ReadAllowances, ReadRateLimit } from '../../runtime/read-rate-limit.ts';
import { guardedDial, portOf, PublicUrlError, type PrivateHosts } from '../net/index.ts';
import { isSecure, writeLeave, writePing } from './signal-messages.ts';

/** Why a socket is gone. `refused`: the same request would be refused again. */
export interface SocketEnd {
  readonly kind: 'refused' | 'lost';
  /** A sentence for the log. It contains no address and no token. */
  readonly text: string;
}

export interface RoomSocketHandlers {
  message(bytes: Uint8Array): void;
  /** Called once, unless it was closed from here. */
  ended(end: SocketEnd): void;
}

export interface RoomSocket {
  send(bytes: Uint8Array): void;
  /** From now on the server is asked whether it lives. Both in ms. */
  watch(pingEvery: number, pingTimeout: number): void;
  /** `leave`: the server is told that nobody comes back. */
  close(how: 'leave' | 'silently'): void;
}

/** A room with thousands of participants has a message of some hundred kilobytes. */
const MAX_MESSAGE_SIZE = 1024 * 1024;
/** In a room of a thousand, somebody comes or goes some ten times a second. */
const READING: ReadAllowances = {
  messages: { atOnce: 500, perSecond: 100 },
  bytes: { atOnce: 4 * 1024 * 1024, perSecond: 256 * 1024 },
};
/** A timer of more than 24 days is one of a millisecond. */
const MAX_PING_INTERVAL_MS = 60_000;
/** What a server that reads nothing leaves unsent: answers to its pings, and candidates. */
const MAX_UNSENT = 256 * 1024;
/** From the connection to the end of the upgrade. */
const UPGRADE_MS = 10_000;
/** What a server says at once of a token, a room, or a path that it does not know. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: 'The LiveKit server does not understand the request.',
  401: 'The LiveKit server does not accept the token.',
  403: 'The LiveKit server does not allow to join the room.',
  404: 'The LiveKit server does not know the room, or is older than 1.9.1.',
};

export interface RoomSocketOptions {
  readonly url: string;
  readonly token: string;
  readonly allowed: PrivateHosts;
  readonly handlers: RoomSocketHandlers;
  readonly timers: Timers;
}

/** Opens the signaling socket of a room, to a public host or one that the operator allows. */
export function openRoomSocket(options: RoomSocketOptions): RoomSocket {
  const socket = new WatchedSocket(options);
  dial(options).then(
    (opened) => socket.opened(opened),
    (error: unknown) => socket.unreachable(error),
  );
  return socket;
}

class WatchedSocket implements RoomSocket {
  readonly #handlers: RoomSocketHandlers;
  readonly #timers: Timers;
  #stage: 'connecting' | 'open' | 'over' = 'connecting';
  #ws: WebSocket | null = null;
  /** Of the upgrade, then of the next ping. */
  #timer: unknown;
  #heardAt: number;
  readonly #pace: ReadRateLimit;

  constructor({ handlers, timers }: RoomSocketOptions) {
    this.#handlers = handlers;
    this.#timers = timers;
    this.#heardAt = timers.now();
    this.#pace = new ReadRateLimit(READING, timers);
  }

  /** The server was reached, and is asked for a WebSocket. */
  opened(ws: WebSocket): void {
    this.#ws = ws;
    // First of all: an error that nobody hears would end the process, and one comes when a socket is given up half
    // open.
    ws.on('error', () => this.#ended({ kind: 'lost', text: 'The connection to the LiveKit server failed.' }));
    if (this.#stage === 'over') return ws.terminate();
    // That of the library begins anew with each byte that comes.
    const late = { kind: 'lost', text: 'The LiveKit server does not take the connection.' } as const;
    this.#timer = this.#timers.setTimeout(() => this.#ended(late), UPGRADE_MS);
    ws.on('open', () => {
      if (this.#stage !== 'connecting') return;
      this.#timers.clearTimeout(this.#timer);
      this.#stage = 'open';
    });
    ws.on('message', (data: RawData) => {
      const bytes = bytesOf(data);
      this.#heardAt = this.#pace.note(ws, bytes.byteLength);
      if (this.#stage === 'open') this.#handlers.message(bytes);
    });
    ws.on('ping', (data) => {
      this.#heardAt = this.#pace.note(ws, data.byteLength);
      if (ws.bufferedAmount > MAX_UNSENT)
        this.#ended({ kind: 'lost', text: 'The LiveKit server does not read what it is sent.' });
    });
    ws.on('unexpected-response', (_request, { statusCode = 0 }) => this.#ended(refusalOf(statusCode)));
    ws.on('close', () => this.#ended({ kind: 'lost', text: 'The LiveKit server closed the connection.' }));
  }

  unreachable(error: unknown): void {
    this.#ended(
      error instanceof PublicUrlError
        ? { kind: 'refused', text: error.message }
        : { kind: 'lost', text: 'The LiveKit server is not reached.' },
    );
  }

  send(bytes: Uint8Array): void {
    if (this.#stage === 'open') this.#ws?.send(bytes);
  }

  watch(pingEvery: number, pingTimeout: number): void {
    if (this.#stage !== 'open' || !(pingEvery > 0)) return;
    this.#timers.clearTimeout(this.#timer);
    this.#timer = this.#timers.setTimeout(
      () => {
        const now = this.#timers.now();
        if (pingTimeout > 0 && now - this.#heardAt > pingTimeout)
          return this.#ended({ kind: 'lost', text: 'The LiveKit server does not answer.' });
        this.#ws?.send(writePing(now));
        this.watch(pingEvery, pingTimeout);
      },
      Math.min(pingEvery, MAX_PING_INTERVAL_MS),
    );
  }

  close(how: 'leave' | 'silently'): void {
    const wasOpen = this.#stage === 'open';
    if (!this.#over()) return;
    if (wasOpen && how === 'leave') this.#ws?.send(writeLeave());
    if (wasOpen) this.#ws?.close(1000);
    else this.#ws?.terminate();
  }

  #ended(end: SocketEnd): void {
    if (!this.#over()) return;
    this.#ws?.terminate();
    this.#handlers.ended(end);
  }

  /** @returns false when it was over before. */
  #over(): boolean {
    if (this.#stage === 'over') return false;
    this.#stage = 'over';
    this.#timers.clearTimeout(this.#timer);
    this.#pace.end();
    return true;
  }
}

/** What an answer of HTTP in place of a WebSocket means. */
function refusalOf(statusCode: number): SocketEnd {
  const text = REFUSALS[statusCode];
  return text === undefined
    ? { kind: 'lost', text: `The LiveKit server answers ${statusCode}.` }
    : { kind: 'refused', text };
}

async function dial(options: { url: string; token: string; allowed: PrivateHosts }): Promise<WebSocket> {
  const url = new URL(options.url);
  const encrypted = isSecure(url);
  const port = portOf(url);
  // A token that goes over a foreign network in the clear lets others in.
  if (!encrypted && !options.allowed.allows(url.hostname, port))
    throw new PublicUrlError('scheme', 'The LiveKit server must be reached with wss://.');
  const connection = await guardedDial(url, options.allowed);
  return new WebSocket(url, {
    headers: { authorization: `Bearer ${options.token}` },
    maxPayload: MAX_MESSAGE_SIZE,
    perMessageDeflate: false,
    // One message at a time: 64 KiB of the shortest ones would take the thread for long.
    allowSynchronousEvents: false,
    followRedirects: false,
    createConnection: () => connection as Socket,
  });
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
