import { ServiceSocket, type SocketEnd } from '../../http/service-socket.ts';
import type { ProviderError } from '../../ports.ts';
import { READING } from '../event-bounds.ts';
import type { RealtimeConnectionOptions } from '../realtime-connection.ts';
import { errorOfEnd, realtimeError } from '../realtime-errors.ts';
import { AgentAudio } from './agent-audio.ts';
import { readAgentMessage, type AgentMessage } from './agent-messages.ts';

const HANDSHAKE_MS = 8_000;
/** From the upgrade to the metadata of the conversation: the agent's variables and tools are fetched meanwhile. */
const READY_MS = 10_000;
const PING_EVERY_MS = 20_000;
/** Ten seconds of 48 kHz are 1.3 MB in base64. */
const LONGEST_MESSAGE_BYTES = 4 * 1024 * 1024;
/** Sound that the network does not take: more is dropped with the connection. */
const MOST_UNSENT_BYTES = 2 * 1024 * 1024;

export type AgentEvent = Exclude<
  AgentMessage,
  { readonly type: 'conversation_initiation_metadata' | 'ping' | 'error' | 'audio' }
>;

export interface AgentConnectionOptions extends Pick<
  RealtimeConnectionOptions,
  'provider' | 'address' | 'dial' | 'timers' | 'ended'
> {
  readonly initiation: Readonly<Record<string, unknown>>;
  readonly event: (event: AgentEvent) => void;
  /** 24 kHz, of what was not interrupted. */
  readonly sound: (pcm: Int16Array) => void;
  /** The agent has ended the conversation. */
  readonly hungUp: () => void;
}

/** One conversation with an agent of ElevenLabs: its first message, its formats of sound, pings and interruptions. */
export class AgentConnection {
  readonly #options: AgentConnectionOptions;
  readonly #socket: ServiceSocket;
  readonly #ready = Promise.withResolvers<void>();
  #state: 'opening' | 'ready' | 'over' = 'opening';
  #audio: AgentAudio | null = null;
  #timer: unknown = null;
  /** Sound up to this event is not played any more. */
  #interruptedAt = 0;
  /** What the agent said was wrong, before it closed. */
  #problem = '';

  constructor(options: AgentConnectionOptions) {
    this.#options = options;
    this.#ready.promise.catch(() => {});
    const { address, timers, dial } = options;
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
        message: (data) => this.#message(data),
        ended: (end) => this.#ended(end),
      },
    );
  }

  async ready(): Promise<void> {
    await this.#ready.promise;
  }

  /** @returns whether it takes messages now. */
  send(message: Readonly<Record<string, unknown>>): boolean {
    if (this.#state !== 'ready') return false;
    if (this.#socket.unsentBytes > MOST_UNSENT_BYTES) {
      this.#fail(realtimeError(this.#options.provider, 'connect'));
      return false;
    }
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** @param pcm 16 kHz. @returns whether it was sent. */
  sendSound(pcm: Int16Array): boolean {
    return this.#state === 'ready' && this.send({ user_audio_chunk: this.#audio!.encode(pcm) });
  }

  close(): void {
    if (this.#over()) this.#ready.reject(realtimeError(this.#options.provider, 'aborted'));
    this.#socket.end();
  }

  #opened(): void {
    const { timers, provider, initiation } = this.#options;
    this.#socket.send(JSON.stringify(initiation));
    this.#timer = timers.setTimeout(() => this.#fail(realtimeError(provider, 'timeout')), READY_MS);
  }

  #message(data: Buffer): void {
    if (this.#state === 'over') return;
    try {
      const message = readAgentMessage(data.toString());
      if (message !== null) this.#take(message);
    } catch (error) {
      this.#fail(realtimeError(this.#options.provider, 'bad-response', { cause: error }));
    }
  }

  #take(message: AgentMessage): void {
    switch (message.type) {
      case 'conversation_initiation_metadata': {
        const { user_input_audio_format: takes, agent_output_audio_format: gives } =
          message.conversation_initiation_metadata_event;
        this.#audio = new AgentAudio(takes, gives);
        this.#state = 'ready';
        this.#options.timers.clearTimeout(this.#timer);
        return this.#ready.resolve();
      }
      case 'ping':
        return this.#socket.send(JSON.stringify({ type: 'pong', event_id: message.ping_event.event_id }));
      case 'error':
        this.#problem = message.error_event.error_type ?? '';
        return;
      case 'audio':
        return this.#sound(message.audio_event);
      case 'interruption':
        this.#interruptedAt = message.interruption_event.event_id;
    }
    this.#options.event(message);
  }

  #sound({ event_id, audio_base_64 }: Extract<AgentMessage, { type: 'audio' }>['audio_event']): void {
    if (event_id <= this.#interruptedAt || this.#audio === null) return;
    this.#options.sound(this.#audio.decode(audio_base_64));
  }

  #ended(end: SocketEnd): void {
    if (end.kind === 'closed' && end.code === 1000 && this.#state === 'ready') {
      this.#over();
      return this.#options.hungUp();
    }
    this.#fail(errorOf(this.#options.provider, end, this.#problem));
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
    this.#options.timers.clearTimeout(this.#timer);
    return true;
  }
}

/** 1008: it refuses the address or what it was told; 1002 and 1011: it has a problem. */
function errorOf(provider: string, end: SocketEnd, problem: string): ProviderError {
  if (end.kind !== 'closed' || end.code < 1_000) return errorOfEnd(provider, end);
  const reason = /^[\w.-]{1,64}$/.test(problem) ? { reason: `it says ${problem}` } : undefined;
  if (end.code === 1008) return realtimeError(provider, problem === '' ? 'auth' : 'bad-request', reason);
  if (end.code === 1002 || end.code === 1011) return realtimeError(provider, 'server', reason);
  return errorOfEnd(provider, end);
}
