import { isIP } from 'node:net';
import { connect as secure } from 'node:tls';
import { WebSocket, type RawData } from 'ws';
import type { Timers } from '../../runtime/clock.ts';
import { guardedConnect, portOf, PublicUrlError, type PrivateHosts } from '../net/index.ts';
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
const LARGEST_MESSAGE = 4 * 1024 * 1024;
/** From the connection to the end of the upgrade. */
const UPGRADE_MS = 10_000;
/** What a server says at once of a token, a room, or a path that it does not know. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: 'The LiveKit server does not understand the request.',
  401: 'The LiveKit server does not accept the token.',
  403: 'The LiveKit server does not allow to join the room.',
  404: 'The LiveKit server does not know the room, or is older than 1.9.1.',
};

/** Opens the signaling socket of a room, to a public host or one that the operator allows. */
export function openRoomSocket(options: {
  readonly url: string;
  readonly token: string;
  readonly allowed: PrivateHosts;
  readonly handlers: RoomSocketHandlers;
  readonly timers: Timers;
}): RoomSocket {
  const { handlers, timers } = options;
  let stage: 'connecting' | 'open' | 'over' = 'connecting';
  let ws: WebSocket | null = null;
  let pings: unknown = null;
  let heardAt = timers.now();

  function over(): boolean {
    if (stage === 'over') return false;
    stage = 'over';
    timers.clearTimeout(pings);
    return true;
  }
  function ended(end: SocketEnd): void {
    if (!over()) return;
    ws?.terminate();
    handlers.ended(end);
  }

  function watch(pingEvery: number, pingTimeout: number): void {
    if (stage !== 'open' || !(pingEvery > 0)) return;
    timers.clearTimeout(pings);
    pings = timers.setTimeout(() => {
      const now = timers.now();
      if (pingTimeout > 0 && now - heardAt > pingTimeout)
        return ended({ kind: 'lost', text: 'The LiveKit server does not answer.' });
      ws?.send(writePing(now));
      watch(pingEvery, pingTimeout);
    }, pingEvery);
  }

  dial(options).then(
    (opened) => {
      ws = opened;
      // First of all: an error that nobody hears would end the process, and one comes when a socket is given up half open.
      opened.on('error', () => ended({ kind: 'lost', text: 'The connection to the LiveKit server failed.' }));
      if (stage === 'over') return opened.terminate();
      opened.on('open', () => void (stage === 'connecting' && (stage = 'open')));
      opened.on('message', (data: RawData) => {
        heardAt = timers.now();
        if (stage === 'open') handlers.message(bytesOf(data));
      });
      opened.on('unexpected-response', (_request, { statusCode = 0 }) => {
        const text = REFUSALS[statusCode];
        ended({
          kind: text === undefined ? 'lost' : 'refused',
          text: text ?? `The LiveKit server answers ${statusCode}.`,
        });
      });
      opened.on('close', () => ended({ kind: 'lost', text: 'The LiveKit server closed the connection.' }));
    },
    (error: unknown) =>
      ended(
        error instanceof PublicUrlError
          ? { kind: 'refused', text: error.message }
          : { kind: 'lost', text: 'The LiveKit server is not reached.' },
      ),
  );

  return {
    send(bytes) {
      if (stage === 'open') ws?.send(bytes);
    },
    watch,
    close(how) {
      const wasOpen = stage === 'open';
      if (!over()) return;
      if (wasOpen && how === 'leave') ws?.send(writeLeave());
      if (wasOpen) ws?.close(1000);
      else ws?.terminate();
    },
  };
}

async function dial(options: { url: string; token: string; allowed: PrivateHosts }): Promise<WebSocket> {
  const url = new URL(options.url);
  const encrypted = isSecure(url);
  const port = portOf(url);
  // A token that goes over a foreign network in the clear lets others in.
  if (!encrypted && !options.allowed.allows(url.hostname, port))
    throw new PublicUrlError('scheme', 'The LiveKit server must be reached with wss://.');
  const socket = await guardedConnect(url.hostname, port, options.allowed);
  socket.setNoDelay(true);
  // Whoever uses it hears of it, too; between two of them nobody would, and that would end the process.
  socket.on('error', () => {});
  return new WebSocket(url, {
    headers: { authorization: `Bearer ${options.token}` },
    handshakeTimeout: UPGRADE_MS,
    maxPayload: LARGEST_MESSAGE,
    perMessageDeflate: false,
    followRedirects: false,
    createConnection: () =>
      encrypted
        ? secure({ socket, ...(isIP(url.hostname) === 0 && { servername: url.hostname }), ALPNProtocols: ['http/1.1'] })
        : socket,
  });
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
