import type { SocketEnd } from '../../http/service-socket.ts';
import type { ProviderError } from '../../ports.ts';
import { TokenBucket } from '../../../runtime/token-bucket.ts';
import { SIGNALS } from '../event-limits.ts';
import { ModelSocket } from '../model-socket.ts';
import type { RealtimeConnectionOptions } from '../realtime-connection.ts';
import { errorOfEnd, realtimeError } from '../realtime-errors.ts';
import { AgentAudio } from './agent-audio.ts';
import { readAgentMessage, type AgentMessage } from './agent-messages.ts';

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
  readonly #socket: ModelSocket;
  /** Whatever it tells beside sound begins, ends or answers something. */
  readonly #signals: TokenBucket;
  #audio: AgentAudio | null = null;
  /** Sound up to this event is not played any more. */
  #interruptedAt = 0;
  /** What the agent said was wrong, before it closed. */
  #problem = '';

  constructor(options: AgentConnectionOptions) {
    this.#options = options;
    this.#signals = new TokenBucket(SIGNALS, options.timers.now());
    this.#socket = new ModelSocket({
      ...options,
      opened: () => this.#socket.expectReady(options.initiation),
      message: (data) => {
        const message = readAgentMessage(data.toString());
        if (message !== null) this.#take(message);
      },
      endOf: (end) => this.#endOf(end),
      finished: options.hungUp,
      failed: options.ended,
    });
  }

  ready(): Promise<void> {
    return this.#socket.ready();
  }

  /** @returns whether it takes messages now. */
  send(message: Readonly<Record<string, unknown>>): boolean {
    return this.#socket.send(message);
  }

  /** @param pcm 16 kHz. @returns whether it was sent. */
  sendSound(pcm: Int16Array): boolean {
    return this.#audio !== null && this.send({ user_audio_chunk: this.#audio.encode(pcm) });
  }

  close(): void {
    this.#socket.close();
  }

  #take(message: AgentMessage): void {
    switch (message.type) {
      case 'conversation_initiation_metadata': {
        const { user_input_audio_format: takes, agent_output_audio_format: gives } =
          message.conversation_initiation_metadata_event;
        this.#audio = new AgentAudio(takes, gives);
        return this.#socket.becomeReady();
      }
      case 'ping':
        return void this.send({ type: 'pong', event_id: message.ping_event.event_id });
      case 'error':
        this.#problem = message.error_event.error_type ?? '';
        return;
      case 'audio':
        return this.#sound(message.audio_event);
      case 'interruption':
        this.#interruptedAt = message.interruption_event.event_id;
    }
    if (this.#signals.spend(1, this.#options.timers.now()) > 0)
      throw new RangeError('The agent tells too much at once.');
    this.#options.event(message);
  }

  #sound({ event_id, audio_base_64 }: Extract<AgentMessage, { type: 'audio' }>['audio_event']): void {
    if (event_id <= this.#interruptedAt || this.#audio === null) return;
    this.#options.sound(this.#audio.decode(audio_base_64));
  }

  #endOf(end: SocketEnd): ProviderError | null {
    if (end.kind === 'closed' && end.code === 1000 && this.#socket.state === 'ready') return null;
    return errorOf(this.#options.provider, end, this.#problem);
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
