import type { ProviderError } from '../ports.ts';
import type { Timers } from '../../runtime/clock.ts';
import type { ClientEvent } from './client-events.ts';
import { RealtimeConnection, type RealtimeConnectionOptions } from './realtime-connection.ts';
import { realtimeError } from './realtime-errors.ts';

/** Delays between attempts to reconnect, ms; the last one repeats. */
const RECONNECT_AFTER_MS = [250, 1_000, 2_000, 5_000, 15_000];

/** A connection that lasted this long was good, so the next attempt follows at once. */
const GOOD_AFTER_MS = 10_000;

/** One connection to a speech model, whose events are those of OpenAI's protocol. */
export interface Connection {
  /** @throws ProviderError */
  ready(): Promise<void>;
  /** @returns whether it takes events now. */
  send(event: ClientEvent): boolean;
  close(): void;
}

export interface ReconnectingConnectionOptions extends Omit<RealtimeConnectionOptions, 'ended'> {
  /** @defaultValue one to a server that speaks OpenAI's protocol */
  readonly connect?: ((options: RealtimeConnectionOptions) => Connection) | undefined;
  /** Connected; nothing was sent so far. */
  readonly began: () => void;
  /** The connection was lost, or could not be made. */
  readonly lost: (error: ProviderError) => void;
}

/** One connection after the other, as long as the session lasts. */
export class ReconnectingConnection {
  readonly #options: ReconnectingConnectionOptions;
  readonly #timers: Timers;
  #connection: Connection | null = null;
  #life: 'open' | 'closed' = 'open';
  #failures = 0;
  #readyAt: number | null = null;
  #retry: unknown = null;

  constructor(options: ReconnectingConnectionOptions) {
    this.#options = options;
    this.#timers = options.timers;
    this.#connect();
  }

  /** Connects at once, if it is not connected. @throws ProviderError */
  async ready(): Promise<void> {
    if (this.#life === 'closed') throw realtimeError(this.#options.provider, 'aborted');
    if (this.#connection === null) this.#connect();
    await this.#connection?.ready();
  }

  /** @returns whether there is a connection. */
  send(event: ClientEvent): boolean {
    return this.#connection?.send(event) ?? false;
  }

  close(): void {
    this.#life = 'closed';
    this.#timers.clearTimeout(this.#retry);
    this.#connection?.close();
    this.#connection = null;
  }

  #connect(): void {
    const { began, connect = (options: RealtimeConnectionOptions) => new RealtimeConnection(options) } = this.#options;
    this.#timers.clearTimeout(this.#retry);
    const connection: Connection = connect({ ...this.#options, ended: (error) => this.#lost(connection, error) });
    this.#connection = connection;
    connection.ready().then(
      () => {
        this.#readyAt = this.#timers.now();
        began();
      },
      () => {},
    );
  }

  #lost(connection: Connection, error: ProviderError): void {
    if (this.#connection !== connection) return;
    this.#connection = null;
    this.#options.lost(error);
    // With the key that was refused it is only tried when an answer is wanted.
    if (this.#life === 'closed' || error.code === 'auth') return;
    if (this.#readyAt !== null && this.#timers.now() - this.#readyAt > GOOD_AFTER_MS) this.#failures = 0;
    const wait = RECONNECT_AFTER_MS[Math.min(this.#failures, RECONNECT_AFTER_MS.length - 1)]!;
    this.#failures += 1;
    this.#readyAt = null;
    const again = (): void => {
      if (this.#connection === null) this.#connect();
    };
    this.#retry = this.#timers.setTimeout(again, Math.max(wait, error.retryAfterMs));
  }
}
