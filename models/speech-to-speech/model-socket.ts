import { ServiceSocket, type Dial, type SocketEnd } from '../http/service-socket.ts';
import type { ProviderError } from '../ports.ts';
import type { Timers } from '../../runtime/clock.ts';
import { READING } from './event-limits.ts';
import type { RealtimeAddress } from './realtime-address.ts';
import { errorOfEnd, realtimeError } from './realtime-errors.ts';

/** From the first packet to the upgrade. */
const HANDSHAKE_MS = 8_000;
/**
 * From the upgrade, or from what the server is told first, to its being ready: agents fetch variables and tools
 * meanwhile.
 */
const READY_MS = 10_000;
const PING_EVERY_MS = 20_000;
/**
 * A second of audio is 64 kB in base64; servers send some hundred milliseconds at a time. 4 MB took the thread for 0.5
 * s.
 */
const MAX_MESSAGE_BYTES = 1024 * 1024;
/** Sound that the network does not take: 30 s of it. More is dropped with the connection. */
const MAX_UNSENT_BYTES = 2 * 1024 * 1024;

export interface ModelSocketOptions {
  readonly provider: string;
  readonly address: RealtimeAddress;
  /** Makes the TCP connection. @defaultValue to any host */
  readonly dial?: Dial | undefined;
  readonly timers: Timers;
  /** The upgrade is done. */
  readonly opened: () => void;
  /** An exception ends the connection: what comes after a message that is not understood cannot be trusted. */
  readonly message: (data: Buffer, isBinary: boolean) => void;
  /** The server ended. @returns why; null: as it should. @defaultValue what the code of the end says */
  readonly endOf?: (end: SocketEnd) => ProviderError | null;
  /** It ended as it should. */
  readonly finished?: () => void;
  /** Called once, unless it was closed from here, or ended as it should. */
  readonly failed: (error: ProviderError) => void;
}

/** A WebSocket to a model that hears and speaks. It has to be ready in time, and is bounded in both directions. */
export class ModelSocket {
  readonly #options: ModelSocketOptions;
  readonly #socket: ServiceSocket;
  readonly #ready = Promise.withResolvers<void>();
  #state: 'connecting' | 'open' | 'ready' | 'over' = 'connecting';
  #timer: unknown = null;

  constructor(options: ModelSocketOptions) {
    this.#options = options;
    this.#ready.promise.catch(() => {});
    const { address, timers, dial } = options;
    this.#socket = new ServiceSocket(
      address.url,
      {
        headers: address.headers,
        handshakeMs: HANDSHAKE_MS,
        longestMessageBytes: MAX_MESSAGE_BYTES,
        pingEveryMs: PING_EVERY_MS,
        reading: READING,
        timers,
        ...(dial && { dial }),
      },
      {
        opened: () => {
          this.#state = 'open';
          options.opened();
        },
        message: (data, isBinary) => this.#message(data, isBinary),
        ended: (end) => this.#ended(end),
      },
    );
  }

  get state(): 'connecting' | 'open' | 'ready' | 'over' {
    return this.#state;
  }

  /** Resolves when it takes messages. @throws ProviderError when it cannot be had. */
  async ready(): Promise<void> {
    await this.#ready.promise;
  }

  /** From now on the server has some seconds. @param first what it has to be told before it is ready. */
  expectReady(first?: unknown): void {
    if (first !== undefined) this.#socket.send(JSON.stringify(first));
    const late = (): void => this.fail(realtimeError(this.#options.provider, 'timeout'));
    this.#timer = this.#options.timers.setTimeout(late, READY_MS);
  }

  becomeReady(): void {
    if (this.#state !== 'open') return;
    this.#state = 'ready';
    this.#options.timers.clearTimeout(this.#timer);
    this.#ready.resolve();
  }

  /** @returns whether it takes messages now. */
  send(message: unknown): boolean {
    if (this.#state !== 'ready') return false;
    if (this.#socket.unsentBytes > MAX_UNSENT_BYTES) {
      this.fail(realtimeError(this.#options.provider, 'connect'));
      return false;
    }
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  fail(error: ProviderError): void {
    if (!this.#over(error)) return;
    this.#socket.end();
    this.#options.failed(error);
  }

  close(): void {
    this.#over(realtimeError(this.#options.provider, 'aborted'));
    this.#socket.end();
  }

  #message(data: Buffer, isBinary: boolean): void {
    if (this.#state === 'over') return;
    try {
      this.#options.message(data, isBinary);
    } catch (error) {
      this.fail(realtimeError(this.#options.provider, 'bad-response', { cause: error }));
    }
  }

  #ended(end: SocketEnd): void {
    const { endOf = (one) => errorOfEnd(this.#options.provider, one) } = this.#options;
    if (this.#state === 'over') return;
    const error = endOf(end);
    if (error !== null) return this.fail(error);
    this.close();
    this.#options.finished?.();
  }

  /** @returns false: it was over already. */
  #over(why: ProviderError): boolean {
    if (this.#state === 'over') return false;
    this.#state = 'over';
    this.#options.timers.clearTimeout(this.#timer);
    this.#ready.reject(why);
    return true;
  }
}
