import { ServiceSocket, type Dial } from '../http/service-socket.ts';
import type { ProviderError } from '../ports.ts';
import type { Timers } from '../../runtime/clock.ts';
import type { ClientEvent } from './client-events.ts';
import type { RealtimeAddress } from './realtime-address.ts';
import { errorOfEnd, errorOfEvent, realtimeError } from './realtime-errors.ts';
import { EventBounds, READING } from './event-bounds.ts';
import { readServerEvent, type ServerEvent } from './server-events.ts';

/** From the first packet to the upgrade. */
const HANDSHAKE_MS = 8_000;
/** From the upgrade to the server's first event. */
const READY_MS = 8_000;
const PING_EVERY_MS = 20_000;
/** A second of audio is 64 kB in base64; servers send some hundred milliseconds at a time. */
const LONGEST_MESSAGE_BYTES = 4 * 1024 * 1024;
/** Sound that the network does not take: 30 s of it. More is dropped with the connection. */
const MOST_UNSENT_BYTES = 2 * 1024 * 1024;

export interface RealtimeConnectionOptions {
  readonly provider: string;
  readonly address: RealtimeAddress;
  /** Makes the TCP connection. @defaultValue to any host */
  readonly dial?: Dial | undefined;
  readonly timers: Timers;
  readonly event: (event: ServerEvent) => void;
  /** Called once, unless it was closed from here. */
  readonly ended: (error: ProviderError) => void;
}

/** One WebSocket to a Realtime server. */
export class RealtimeConnection {
  readonly #options: RealtimeConnectionOptions;
  readonly #socket: ServiceSocket;
  readonly #ready = Promise.withResolvers<void>();
  readonly #bounds: EventBounds;
  #state: 'opening' | 'ready' | 'over' = 'opening';
  #readyTimer: unknown = null;

  constructor(options: RealtimeConnectionOptions) {
    this.#options = options;
    const { address, timers } = options;
    this.#bounds = new EventBounds(() => timers.now());
    this.#ready.promise.catch(() => {});
    this.#socket = new ServiceSocket(
      address.url,
      {
        headers: address.headers,
        handshakeMs: HANDSHAKE_MS,
        longestMessageBytes: LONGEST_MESSAGE_BYTES,
        pingEveryMs: PING_EVERY_MS,
        reading: READING,
        timers,
        ...(options.dial && { dial: options.dial }),
      },
      {
        opened: () => {
          this.#readyTimer = timers.setTimeout(() => this.#fail(realtimeError(options.provider, 'timeout')), READY_MS);
        },
        message: (data, isBinary) => this.#message(data, isBinary),
        ended: (end) => this.#fail(errorOfEnd(options.provider, end)),
      },
    );
  }

  /** Resolves when events may be sent. @throws ProviderError when it cannot be had. */
  async ready(): Promise<void> {
    await this.#ready.promise;
  }

  get isReady(): boolean {
    return this.#state === 'ready';
  }

  /** @returns whether it takes events now. */
  send(event: ClientEvent): boolean {
    if (this.#state !== 'ready') return false;
    if (this.#socket.unsentBytes > MOST_UNSENT_BYTES) {
      this.#fail(realtimeError(this.#options.provider, 'connect'));
      return false;
    }
    this.#socket.send(JSON.stringify(event));
    return true;
  }

  close(): void {
    if (this.#over()) this.#ready.reject(realtimeError(this.#options.provider, 'aborted'));
    this.#socket.end();
  }

  #message(data: Buffer, isBinary: boolean): void {
    if (this.#state === 'over') return;
    try {
      if (isBinary) throw new TypeError('The message is not text.');
      const event = readServerEvent(data.toString());
      if (event === null) return;
      if (event.type === 'ready') return this.#opened();
      // Before its session begins, an error is the reason why there will be none.
      if (event.type === 'error' && this.#state === 'opening')
        return this.#fail(errorOfEvent(this.#options.provider, event.code));
      this.#bounds.take(event);
      this.#options.event(event);
    } catch (error) {
      // What comes later cannot be trusted.
      this.#fail(realtimeError(this.#options.provider, 'bad-response', { cause: error }));
    }
  }

  #opened(): void {
    if (this.#state !== 'opening') return;
    this.#state = 'ready';
    this.#options.timers.clearTimeout(this.#readyTimer);
    this.#ready.resolve();
  }

  #fail(error: ProviderError): void {
    if (!this.#over()) return;
    this.#socket.end();
    this.#ready.reject(error);
    this.#options.ended(error);
  }

  #over(): boolean {
    if (this.#state === 'over') return false;
    this.#state = 'over';
    this.#options.timers.clearTimeout(this.#readyTimer);
    return true;
  }
}
