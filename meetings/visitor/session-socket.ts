import type { MeetingSession } from '../../control/ports.ts';
import { systemTimers, type Timers } from '../../runtime/clock.ts';

/** As other clients. */
const HEARTBEAT_MS = 5_000;
/** The service is on this machine: what does not come back within these tries has gone. */
const RETRY_MS = [100, 200, 500, 1_000, 2_000] as const;
/** Messages that wait while the socket is down. */
const MAX_WAITING = 100;

export interface SessionSocketHandlers {
  message(actionType: string, payload: unknown): void;
  /** The session is over, or cannot be reached any more. The last call. */
  ended(): void;
}

/** The signaling of the persona's session, for the page, which may not open a socket to anywhere. */
export class SessionSocket {
  readonly #session: MeetingSession;
  readonly #handlers: SessionSocketHandlers;
  readonly #timers: Timers;
  #socket: WebSocket;
  #waiting: string[] = [];
  #failures = 0;
  #isOver = false;

  constructor(session: MeetingSession, handlers: SessionSocketHandlers, timers: Timers = systemTimers) {
    this.#session = session;
    this.#handlers = handlers;
    this.#timers = timers;
    this.#socket = this.#open();
    this.#beat();
  }

  send(actionType: string, payload: unknown): void {
    const text = JSON.stringify({ actionType, sessionId: this.#session.sessionId, payload });
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(text);
    else if (this.#waiting.length < MAX_WAITING) this.#waiting.push(text);
  }

  close(): void {
    this.#isOver = true;
    this.#socket.close();
  }

  #open(): WebSocket {
    const socket = new WebSocket(this.#session.signalingUrl);
    socket.addEventListener('open', () => {
      this.#failures = 0;
      for (const text of this.#waiting.splice(0)) socket.send(text);
    });
    socket.addEventListener('message', ({ data }) => this.#receive(data));
    socket.addEventListener('close', () => this.#closed(socket));
    // `close` follows.
    socket.addEventListener('error', () => undefined);
    return socket;
  }

  #receive(data: unknown): void {
    if (this.#isOver || typeof data !== 'string') return;
    let message: { actionType?: unknown; payload?: unknown } | null;
    try {
      message = JSON.parse(data) as typeof message;
    } catch {
      return;
    }
    if (message?.actionType === 'endsession') this.#end();
    else if (typeof message?.actionType === 'string') this.#handlers.message(message.actionType, message.payload);
  }

  #closed(socket: WebSocket): void {
    if (this.#isOver || this.#socket !== socket) return;
    const wait = RETRY_MS[this.#failures];
    if (wait === undefined) return this.#end();
    this.#failures += 1;
    this.#timers.setTimeout(() => {
      if (!this.#isOver) this.#socket = this.#open();
    }, wait);
  }

  #beat(): void {
    this.#timers.setTimeout(() => {
      if (this.#isOver) return;
      if (this.#socket.readyState === WebSocket.OPEN) this.send('heartbeat', '');
      this.#beat();
    }, HEARTBEAT_MS);
  }

  #end(): void {
    if (this.#isOver) return;
    this.close();
    this.#handlers.ended();
  }
}
