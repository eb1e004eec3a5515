import type { Dial } from '../http/service-socket.ts';
import type { ProviderError } from '../ports.ts';
import type { Timers } from '../../runtime/clock.ts';
import type { ClientEvent } from './client-events.ts';
import { EventLimits } from './event-limits.ts';
import { ModelSocket } from './model-socket.ts';
import type { RealtimeAddress } from './realtime-address.ts';
import { errorOfEvent } from './realtime-errors.ts';
import { readServerEvent, type ServerEvent } from './server-events.ts';

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
  readonly #socket: ModelSocket;
  readonly #bounds: EventLimits;

  constructor(options: RealtimeConnectionOptions) {
    this.#options = options;
    this.#bounds = new EventLimits(() => options.timers.now());
    this.#socket = new ModelSocket({
      ...options,
      // The server's first event says that it is ready.
      opened: () => this.#socket.expectReady(),
      message: (data, isBinary) => this.#message(data, isBinary),
      failed: options.ended,
    });
  }

  /** Resolves when events may be sent. @throws ProviderError when it cannot be had. */
  ready(): Promise<void> {
    return this.#socket.ready();
  }

  get isReady(): boolean {
    return this.#socket.state === 'ready';
  }

  /** @returns whether it takes events now. */
  send(event: ClientEvent): boolean {
    return this.#socket.send(event);
  }

  close(): void {
    this.#socket.close();
  }

  #message(data: Buffer, isBinary: boolean): void {
    if (isBinary) throw new TypeError('The message is not text.');
    const event = readServerEvent(data.toString());
    if (event === null) return;
    if (event.type === 'ready') return this.#socket.becomeReady();
    // Before its session begins, an error is the reason why there will be none.
    if (event.type === 'error' && !this.isReady)
      return this.#socket.fail(errorOfEvent(this.#options.provider, event.code));
    this.#bounds.take(event);
    this.#options.event(event);
  }
}
