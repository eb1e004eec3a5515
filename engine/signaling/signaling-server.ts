import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Logger } from '../../runtime/log.ts';
import type { SocketsElsewhere } from '../ports.ts';
import { type Goodbye, openSignalingSocket, type SignalingSocket, type SocketHandlers } from './signaling-socket.ts';

/** What signaling needs of a live session. */
export interface SignalingSession extends SocketHandlers {
  opened(socket: SignalingSocket): void;
}

/** Attaches a Realtime client. @returns false when the session has a client already. */
export type AttachRealtimeClient = (socket: WebSocket, names: 'released' | 'beta') => boolean;

export type SessionLookup =
  | {
      readonly kind: 'live';
      readonly session: SignalingSession;
      /** Pages of other origins are refused. Null: whoever knows the session id may connect. */
      readonly onlyOrigin: string | null;
      /** Takes the socket of a Realtime client; null: the session's clients use WebRTC. */
      readonly attachRealtime?: AttachRealtimeClient | null;
    }
  /** A session that goes on elsewhere as soon as its client comes back. `leave` resolves when it is not here any more. */
  | { readonly kind: 'leaving'; readonly leave: () => Promise<void>; readonly onlyOrigin: string | null }
  /** A session that is over, and what a client that comes back is told. */
  | { readonly kind: 'ended'; readonly goodbye: Goodbye };

export interface Signaling {
  attach(server: Server, elsewhere?: SocketsElsewhere): void;
  /** Closes every socket with 1012 (service restart) after sessions had their chance to say goodbye. */
  close(): void;
}

/** Agent audio comes as base64 inside a frame: a second of 48 kHz stereo is 256 KiB. */
const MAX_FRAME_BYTES = 1024 * 1024;
const PATH = /^(?:\/ws|\/v1\/webrtc\/engines\/[\w-]{1,64}\/ws)\/?$/;
/** Without a session id, the control plane takes it: it starts the session and comes back with the id. */
const REALTIME_PATH = /^\/v1\/realtime\/?$/;
const BETA = /^realtime=v1$/;
const BETA_PROTOCOL = /(^|[, ])openai-beta\.realtime-v1($|[, ])/;
const SESSION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** A client that was told nothing within this time was never going to send its offer. */
const ENDED_WAITS_MS = 15_000;

const NOWHERE: SocketsElsewhere = async () => 'nowhere';

function refuse(socket: Duplex, status: string, error: string): void {
  const body = JSON.stringify({ error, message: error });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Browsers always tell the origin of the page. Clients without a page have none, and could write any. */
function comesFromElsewhere({ headers }: IncomingMessage, onlyOrigin: string | null): boolean {
  return onlyOrigin !== null && headers.origin !== undefined && headers.origin !== onlyOrigin;
}

/** The WebSocket endpoint of all sessions. The session id in the query is the only credential (it is a random UUID). */
export function createSignaling(options: {
  lookup: (sessionId: string) => SessionLookup | null;
  log: Logger;
}): Signaling {
  const { lookup, log } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    // One message at a time: what has arrived of a flood would take the thread for 200 ms and more.
    allowSynchronousEvents: false,
    // Realtime clients of pages name it beside their key.
    handleProtocols: (offered) => (offered.has('realtime') ? 'realtime' : ([...offered][0] ?? false)),
  });

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, elsewhere: SocketsElsewhere): void {
    socket.on('error', () => socket.destroy());
    const url = URL.parse(request.url ?? '', 'http://signaling');
    const isRealtime = url !== null && REALTIME_PATH.test(url.pathname);
    if (url === null || !(isRealtime || PATH.test(url.pathname))) return refuse(socket, '404 Not Found', 'Not found');
    const sessionId = url.searchParams.get('session_id');
    if (isRealtime && sessionId === null) return;
    if (sessionId === null || !SESSION_ID.test(sessionId))
      return refuse(socket, '400 Bad Request', 'session_id is missing or malformed');
    const found = lookup(sessionId.toLowerCase());
    if (found === null) {
      void elsewhere(sessionId.toLowerCase(), { request, socket, head }).then((where) => {
        if (where === 'nowhere') refuse(socket, '404 Not Found', 'Session not found');
        else if (where === 'here') upgrade(request, socket, head, NOWHERE);
      });
      return;
    }
    if (found.kind !== 'ended' && comesFromElsewhere(request, found.onlyOrigin))
      return refuse(socket, '403 Forbidden', 'Origin not allowed');
    if (found.kind === 'leaving') {
      void found.leave().then(() => upgrade(request, socket, head, elsewhere));
      return;
    }
    const take = isRealtime ? realtimeUpgrade(request, found) : (ws: WebSocket) => accept(ws, sessionId, found, log);
    if (take === null) return refuse(socket, '409 Conflict', 'The session takes no Realtime client');
    sockets.handleUpgrade(request, socket, head, take);
  }

  return {
    attach: (server, elsewhere = NOWHERE) =>
      void server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
        upgrade(request, socket, head, elsewhere),
      ),
    close() {
      for (const ws of sockets.clients) ws.close(1012, 'Service restart');
      sockets.close();
    },
  };
}

/** @returns null when the session expects no Realtime client. */
function realtimeUpgrade({ headers }: IncomingMessage, found: SessionLookup): ((ws: WebSocket) => void) | null {
  const attachRealtime = found.kind === 'live' ? found.attachRealtime : null;
  if (attachRealtime == null) return null;
  const isBeta =
    BETA.test(String(headers['openai-beta'] ?? '')) || BETA_PROTOCOL.test(headers['sec-websocket-protocol'] ?? '');
  return (ws) => {
    if (!attachRealtime(ws, isBeta ? 'beta' : 'released')) ws.close(1008, 'The session has a client already');
  };
}

/** @param found what the socket is for: a session, or the goodbye of one. */
function accept(
  ws: WebSocket,
  sessionId: string,
  found: Exclude<SessionLookup, { kind: 'leaving' }>,
  log: Logger,
): void {
  if (found.kind === 'live') return found.session.opened(openSignalingSocket(ws, sessionId, found.session, log));
  // Clients drop whatever arrives before they have made their offer, so the goodbye waits for it.
  const timer = setTimeout(() => ws.close(1000), ENDED_WAITS_MS);
  const handlers: SocketHandlers = {
    signal: (signal, socket) => {
      if (signal.actionType === 'offer') socket.end(found.goodbye);
    },
    closed: () => clearTimeout(timer),
  };
  openSignalingSocket(ws, sessionId, handlers, log);
}
