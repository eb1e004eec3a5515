import type { Platform } from './platform.ts';
import { WaitingSignals } from './waiting-signals.ts';

/** One message of the signaling socket. */
export interface SignalMessage {
  readonly actionType: string;
  readonly payload: unknown;
  /** Of `endsession`: why, for programs. */
  readonly code?: unknown;
}

export interface SignalingHandlers {
  readonly message: (message: SignalMessage) => void;
  /** It never connected: the retries are used up. */
  readonly unreachable: () => void;
  /** Another page has taken the session over. */
  readonly replaced: () => void;
  /** The process at the other end goes away: audio and video probably stop. A new socket is on its way. */
  readonly restarted: () => void;
}

type SignalingPlatform = Pick<Platform, 'openSocket' | 'timers' | 'now'>;

/** `WebSocket.OPEN` */
const OPEN = 1;
/** Wait before the n-th retry: n times this, ms. */
const RETRY_STEP_MS = 100;
const MAX_RETRY_MS = 2_000;
/** Browsers wait for minutes for a connection whose first packet was lost in an outage. */
const OPEN_WITHIN_MS = 5_000;
const DEFAULT_RETRIES = 5;
const DEFAULT_HEARTBEAT_SECONDS = 5;
/** "Service Restart" (RFC 6455, registry of close codes): the session goes on in another process. */
const RESTART_CODE = 1012;
/** Reason for which the service closes the older of two sockets. */
const REPLACED = 'replaced';

/**
 * The signaling socket of one session. It sends heartbeats, and keeps messages while it is down, within limits. Before its first
 * connection it gives up after some retries, later never: audio and video go on without it.
 */
export class Signaling {
  readonly #url: string;
  readonly #sessionId: string;
  readonly #handlers: SignalingHandlers;
  readonly #retries: number;
  readonly #platform: SignalingPlatform;
  readonly #heartbeatMs: number;
  #heartbeat: unknown;
  #socket: WebSocket | null = null;
  readonly #waiting: WaitingSignals;
  #failures = 0;
  #retry: unknown;
  #state: 'first' | 'connected before' | 'closed' = 'first';

  constructor(
    url: string,
    sessionId: string,
    config: { readonly maxWsReconnectionAttempts?: number; readonly heartbeatIntervalSeconds?: number },
    handlers: SignalingHandlers,
    platform: SignalingPlatform,
  ) {
    this.#platform = platform;
    this.#waiting = new WaitingSignals(platform.now);
    this.#url = url;
    this.#sessionId = sessionId;
    this.#handlers = handlers;
    this.#retries = config.maxWsReconnectionAttempts || DEFAULT_RETRIES;
    this.#heartbeatMs = (config.heartbeatIntervalSeconds || DEFAULT_HEARTBEAT_SECONDS) * 1000;
    // It may throw, for a page that may not open this socket. No heartbeat is left then.
    this.#connect();
    this.#beatLater();
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === OPEN;
  }

  send(actionType: string, payload: unknown): void {
    if (this.#state === 'closed') return;
    const text = JSON.stringify({ actionType, sessionId: this.#sessionId, payload });
    if (this.isOpen) return this.#socket?.send(text);
    this.#waiting.push(actionType, text);
  }

  /**
   * A fresh socket. The old one may be dead without a sign; if it is not, answers to earlier offers still come on it, and
   * are not wanted.
   */
  reconnect(): void {
    if (this.#state === 'closed') return;
    this.#failures = 0;
    this.#connect();
  }

  close(): void {
    this.#state = 'closed';
    this.#platform.timers.clear(this.#heartbeat);
    this.#platform.timers.clear(this.#retry);
    this.#drop();
  }

  #beatLater(): void {
    this.#heartbeat = this.#platform.timers.set(() => {
      // Not kept while the socket is down: an old heartbeat tells nothing.
      if (this.isOpen) this.send('heartbeat', '');
      this.#beatLater();
    }, this.#heartbeatMs);
  }

  #connect(): void {
    const { timers, openSocket } = this.#platform;
    timers.clear(this.#retry);
    this.#drop();
    const socket = openSocket(this.#url);
    this.#socket = socket;
    const tooLate = timers.set(() => this.#failed(socket), OPEN_WITHIN_MS);
    socket.addEventListener('open', () => {
      timers.clear(tooLate);
      if (this.#socket !== socket) return;
      this.#state = 'connected before';
      this.#failures = 0;
      for (const text of this.#waiting.take()) socket.send(text);
    });
    socket.addEventListener('message', (event) => {
      const message = readSignal(event.data);
      if (message !== null && this.#socket === socket) this.#handlers.message(message);
    });
    socket.addEventListener('close', (event) => {
      timers.clear(tooLate);
      if (this.#socket === socket && event.reason === REPLACED) return this.#handlers.replaced();
      const isRestart = this.#socket === socket && event.code === RESTART_CODE;
      this.#failed(socket);
      if (isRestart && this.#state === 'connected before') this.#handlers.restarted();
    });
  }

  #failed(socket: WebSocket): void {
    if (this.#socket !== socket || this.#state === 'closed') return;
    this.#drop();
    this.#failures += 1;
    if (this.#state === 'first' && this.#failures > this.#retries) return this.#handlers.unreachable();
    this.#retry = this.#platform.timers.set(
      () => this.#connect(),
      Math.min(MAX_RETRY_MS, RETRY_STEP_MS * this.#failures),
    );
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }
}

export function readSignal(data: unknown): SignalMessage | null {
  if (typeof data !== 'string') return null;
  try {
    const message = JSON.parse(data) as Partial<SignalMessage> | null;
    return typeof message?.actionType === 'string'
      ? { actionType: message.actionType, payload: message.payload, code: message.code }
      : null;
  } catch {
    return null;
  }
}
