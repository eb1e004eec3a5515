import { ServiceSocket, type Dial, type SocketEnd } from '../../http/service-socket.ts';
import type { ProviderError } from '../../ports.ts';
import type { Timers } from '../../../runtime/clock.ts';
import { READING } from '../event-bounds.ts';
import type { RealtimeAddress } from '../realtime-address.ts';
import { errorOfEnd, realtimeError } from '../realtime-errors.ts';
import { readGeminiMessage, type GeminiMessage } from './gemini-messages.ts';

const HANDSHAKE_MS = 8_000;
/** From the setup to its confirmation. */
const SETUP_MS = 8_000;
const PING_EVERY_MS = 20_000;
const LONGEST_MESSAGE_BYTES = 4 * 1024 * 1024;
/** Sound that the network does not take: more is dropped with the connection. */
const MOST_UNSENT_BYTES = 2 * 1024 * 1024;
/** Messages that wait for the setup. */
const MOST_WAITING = 1_000;

type Json = Readonly<Record<string, unknown>>;

export interface GeminiLinkOptions {
  readonly provider: string;
  readonly address: RealtimeAddress;
  readonly dial?: Dial | undefined;
  readonly timers: Timers;
  readonly opened: () => void;
  readonly message: (message: GeminiMessage) => void;
  /** Called once, unless it was closed from here. */
  readonly ended: (error: ProviderError) => void;
}

/** One WebSocket to a Gemini Live server: the setup first, everything else when it is confirmed. */
export class GeminiLink {
  readonly #options: GeminiLinkOptions;
  readonly #socket: ServiceSocket;
  #state: 'opening' | 'open' | 'ready' | 'over' = 'opening';
  #setup: Json | null = null;
  #waiting: Json[] = [];
  #timer: unknown = null;

  constructor(options: GeminiLinkOptions) {
    this.#options = options;
    const { address, timers, provider, dial } = options;
    this.#socket = new ServiceSocket(
      address.url,
      {
        headers: address.headers,
        handshakeMs: HANDSHAKE_MS,
        longestMessageBytes: LONGEST_MESSAGE_BYTES,
        pingEveryMs: PING_EVERY_MS,
        reading: READING,
        timers,
        ...(dial && { dial }),
      },
      {
        opened: () => this.#opened(),
        // It sends its JSON as binary frames, too.
        message: (data) => this.#message(data),
        ended: (end) => this.#fail(errorOf(provider, end)),
      },
    );
  }

  /** Called once: what the connection is set to. */
  setup(setup: Json): void {
    this.#setup = setup;
    if (this.#state === 'open') this.#sendSetup();
  }

  get hasSetup(): boolean {
    return this.#setup !== null;
  }

  send(message: Json): void {
    if (this.#state === 'over') return;
    if (this.#state !== 'ready') {
      if (this.#waiting.length < MOST_WAITING) this.#waiting.push(message);
      return;
    }
    if (this.#socket.unsentBytes > MOST_UNSENT_BYTES)
      return this.#fail(realtimeError(this.#options.provider, 'connect'));
    this.#socket.send(JSON.stringify(message));
  }

  close(): void {
    this.#over();
    this.#socket.end();
  }

  #opened(): void {
    this.#state = 'open';
    this.#options.opened();
    if (this.#setup !== null) this.#sendSetup();
  }

  #sendSetup(): void {
    const { timers, provider } = this.#options;
    this.#socket.send(JSON.stringify({ setup: this.#setup }));
    this.#timer = timers.setTimeout(() => this.#fail(realtimeError(provider, 'timeout')), SETUP_MS);
  }

  #message(data: Buffer): void {
    if (this.#state === 'over') return;
    try {
      const message = readGeminiMessage(data.toString());
      if (message.setupComplete !== undefined) this.#ready();
      this.#options.message(message);
    } catch (error) {
      this.#fail(realtimeError(this.#options.provider, 'bad-response', { cause: error }));
    }
  }

  #ready(): void {
    this.#options.timers.clearTimeout(this.#timer);
    this.#state = 'ready';
    for (const message of this.#waiting.splice(0)) this.send(message);
  }

  #fail(error: ProviderError): void {
    if (!this.#over()) return;
    this.#socket.end();
    this.#options.ended(error);
  }

  #over(): boolean {
    if (this.#state === 'over') return false;
    this.#state = 'over';
    this.#options.timers.clearTimeout(this.#timer);
    return true;
  }
}

/** It refuses keys and setups by closing: 1008 and 1007. */
function errorOf(provider: string, end: SocketEnd): ProviderError {
  if (end.kind === 'closed' && end.code === 1008) return realtimeError(provider, 'auth');
  if (end.kind === 'closed' && end.code === 1007) return realtimeError(provider, 'bad-request');
  return errorOfEnd(provider, end);
}
