import type { Dial, SocketEnd } from '../../http/service-socket.ts';
import type { ProviderError } from '../../ports.ts';
import type { Timers } from '../../../runtime/clock.ts';
import { ModelSocket } from '../model-socket.ts';
import type { RealtimeAddress } from '../realtime-address.ts';
import { errorOfEnd, realtimeError } from '../realtime-errors.ts';
import { readGeminiMessage, type GeminiMessage } from './gemini-messages.ts';

/** Messages that wait for the setup. */
const MAX_WAITING = 1_000;

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
  readonly #socket: ModelSocket;
  #setup: Json | null = null;
  #waiting: Json[] = [];

  constructor(options: GeminiLinkOptions) {
    this.#socket = new ModelSocket({
      ...options,
      opened: () => {
        options.opened();
        if (this.#setup !== null) this.#sendSetup();
      },
      // It sends its JSON as binary frames, too.
      message: (data) => {
        const message = readGeminiMessage(data.toString());
        if (message.setupComplete !== undefined) this.#ready();
        options.message(message);
      },
      endOf: (end) => errorOf(options.provider, end),
      failed: options.ended,
    });
  }

  /** Called once: what the connection is set to. */
  setup(setup: Json): void {
    this.#setup = setup;
    if (this.#socket.state === 'open') this.#sendSetup();
  }

  get hasSetup(): boolean {
    return this.#setup !== null;
  }

  send(message: Json): void {
    const { state } = this.#socket;
    if (state === 'ready') this.#socket.send(message);
    else if (state !== 'over' && this.#waiting.length < MAX_WAITING) this.#waiting.push(message);
  }

  close(): void {
    this.#socket.close();
  }

  #sendSetup(): void {
    this.#socket.expectReady({ setup: this.#setup });
  }

  #ready(): void {
    this.#socket.becomeReady();
    for (const message of this.#waiting.splice(0)) this.send(message);
  }
}

/** It refuses keys and setups by closing: 1008 and 1007. */
function errorOf(provider: string, end: SocketEnd): ProviderError {
  if (end.kind === 'closed' && end.code === 1008) return realtimeError(provider, 'auth');
  if (end.kind === 'closed' && end.code === 1007) return realtimeError(provider, 'bad-request');
  return errorOfEnd(provider, end);
}
