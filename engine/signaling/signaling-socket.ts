import type { RawData, WebSocket } from 'ws';
import type { EndReason } from '../../actors/report.ts';
import type { Logger } from '../../runtime/log.ts';
import { parseClientSignal, type ClientSignal } from './client-signals.ts';
import { limitReadRate } from './limit-read-rate.ts';

/** Actions that the service sends; clients complain about any other. */
export type ServerAction = 'answer' | 'sessionready' | 'warning' | 'endsession' | 'talkinputstreaminterrupted';

/** What a client is told at the end. */
export interface Goodbye {
  /** Why, for programs. */
  readonly code: EndReason;
  /** The same as a sentence for people. */
  readonly text: string;
}

export interface SignalingSocket {
  /** @returns whether the socket took it: one that is closing takes nothing more. */
  send(action: ServerAction, payload: unknown): boolean;
  /** Says why the session ended and closes; clients that see a close without `endsession` try to come back. */
  end(goodbye: Goodbye): void;
  close(code: 1000 | 1008 | 1011 | 1012, reason: string): void;
}

export interface SocketHandlers {
  signal(signal: ClientSignal, socket: SignalingSocket): void;
  /** `clean`: the client closed it (1000, 1001, 1005). That alone is not the end of a session. */
  closed(code: number, clean: boolean, socket: SignalingSocket): void;
}

/** More than this many broken messages and the socket is closed: a client in a loop, or an attacker. */
const JUNK_LIMIT = 200;
/**
 * Browsers answer pings even in a hidden tab, where the client's own heartbeats slow down to one a minute. So a socket
 * without any frame for three pings is dead, whatever the heartbeats do.
 */
const PING_EVERY_MS = 5_000;
const DEAD_AFTER_PINGS = 3;
/** Time for `endsession` to leave before the close frame follows. */
const FLUSH_MS = 100;
const CLEAN_CODES = new Set([1000, 1001, 1005]);

/** Binds a WebSocket to one session: parses what comes, writes envelopes, notices when it is dead. */
export function openSignalingSocket(
  ws: WebSocket,
  sessionId: string,
  handlers: SocketHandlers,
  log: Logger,
): SignalingSocket {
  const socket = envelopes(ws, sessionId);
  const reading = limitReadRate(ws);
  let junk = 0;
  let silentPings = 0;
  const pinging = setInterval(() => {
    if (silentPings >= DEAD_AFTER_PINGS) ws.terminate();
    silentPings += 1;
    if (ws.readyState === ws.OPEN) ws.ping();
  }, PING_EVERY_MS);

  ws.on('pong', () => (silentPings = 0));
  ws.on('message', (data: RawData, isBinary: boolean) => {
    silentPings = 0;
    const text = data.toString();
    reading.read(text.length);
    if (isBinary) return;
    const parsed = parseClientSignal(text, sessionId);
    if (parsed.kind === 'junk') {
      junk += 1;
      if (junk === 1) log.warn({ sessionId, problem: parsed.problem }, 'a signaling message was ignored');
      if (junk > JUNK_LIMIT) ws.close(1008, 'Too many invalid messages');
      return;
    }
    if (parsed.kind === 'signal') handlers.signal(parsed.signal, socket);
  });
  ws.on('error', (error) => log.debug({ sessionId, err: error.message }, 'signaling socket error'));
  ws.on('close', (code) => {
    clearInterval(pinging);
    reading.close();
    handlers.closed(code, CLEAN_CODES.has(code), socket);
  });
  return socket;
}

function envelopes(ws: WebSocket, sessionId: string): SignalingSocket {
  /** @param more keys of the envelope that only some clients know; the others ignore them. */
  const write = (action: ServerAction, payload: unknown, more: { readonly code?: EndReason } = {}): boolean => {
    // `actionType` first and `payload` last: one client picks the payload's type while it streams through the object.
    if (ws.readyState !== ws.OPEN) return false;
    ws.send(JSON.stringify({ actionType: action, sessionId, ...more, payload }));
    return true;
  };
  return {
    send: write,
    end({ code, text }) {
      // The payload is a plain text for all clients: the code stands beside it.
      write('endsession', text, { code });
      setTimeout(() => ws.close(1000), FLUSH_MS);
    },
    close: (code, reason) => ws.close(code, reason),
  };
}
