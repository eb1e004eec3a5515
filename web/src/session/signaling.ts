/** One message of the signaling socket. */
export interface SignalMessage {
  readonly actionType: string;
  readonly payload: unknown;
}

export interface SignalingHandlers {
  message(message: SignalMessage): void;
  /** The socket is gone for good: the retries are used up. */
  lost(): void;
}

/** Wait before the n-th retry, ms. */
const RETRY_STEP_MS = 100;
const DEFAULT_RETRIES = 5;
const DEFAULT_HEARTBEAT_SECONDS = 5;
/** A socket that lived this long was good: after its loss, the count of retries starts again. */
const STABLE_MS = 5_000;
/** Reason for which a server closes the older of two sockets. */
const REPLACED = 'replaced';

/** The signaling socket of one session. It reconnects, sends heartbeats, and keeps messages while it is down. */
export class Signaling {
  readonly #url: string;
  readonly #sessionId: string;
  readonly #handlers: SignalingHandlers;
  readonly #retries: number;
  readonly #heartbeat: number;
  #socket: WebSocket | null = null;
  #waiting: string[] = [];
  #failures = 0;
  #timers = new Set<number>();
  #state: 'open' | 'closed' = 'open';

  constructor(
    url: string,
    sessionId: string,
    config: { maxWsReconnectionAttempts?: number; heartbeatIntervalSeconds?: number },
    handlers: SignalingHandlers,
  ) {
    this.#url = url;
    this.#sessionId = sessionId;
    this.#handlers = handlers;
    this.#retries = config.maxWsReconnectionAttempts || DEFAULT_RETRIES;
    this.#heartbeat = window.setInterval(
      () => {
        if (this.#socket?.readyState === WebSocket.OPEN) this.send('heartbeat', '');
      },
      (config.heartbeatIntervalSeconds || DEFAULT_HEARTBEAT_SECONDS) * 1000,
    );
    this.#connect();
  }

  send(actionType: string, payload: unknown): void {
    if (this.#state === 'closed') return;
    const text = JSON.stringify({ actionType, sessionId: this.#sessionId, payload });
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
    else this.#waiting.push(text);
  }

  /** A fresh socket for a restart of the connection: the old one may be dead without a sign. */
  reconnect(): void {
    if (this.#state === 'closed') return;
    this.#drop();
    this.#failures = 0;
    this.#connect();
  }

  close(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    window.clearInterval(this.#heartbeat);
    for (const timer of this.#timers) window.clearTimeout(timer);
    this.#drop();
  }

  #connect(): void {
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    let stable = 0;
    socket.addEventListener('open', () => {
      stable = this.#after(STABLE_MS, () => {
        this.#failures = 0;
      });
      for (const text of this.#waiting.splice(0)) socket.send(text);
    });
    socket.addEventListener('message', (event) => {
      const message = readSignal(event.data);
      if (message !== null && this.#socket === socket) this.#handlers.message(message);
    });
    socket.addEventListener('close', (event) => {
      window.clearTimeout(stable);
      if (this.#socket !== socket || this.#state === 'closed') return;
      this.#failures += 1;
      if (event.reason === REPLACED || this.#failures > this.#retries) return this.#handlers.lost();
      this.#after(RETRY_STEP_MS * this.#failures, () => this.#connect());
    });
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #after(ms: number, run: () => void): number {
    const timer = window.setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, ms);
    this.#timers.add(timer);
    return timer;
  }
}

export function readSignal(data: unknown): SignalMessage | null {
  if (typeof data !== 'string') return null;
  try {
    const message = JSON.parse(data) as Partial<SignalMessage> | null;
    return typeof message?.actionType === 'string'
      ? { actionType: message.actionType, payload: message.payload }
      : null;
  } catch {
    return null;
  }
}
