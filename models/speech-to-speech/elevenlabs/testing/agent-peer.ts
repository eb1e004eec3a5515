import type { WebSocket } from 'ws';
import { toUlaw, ULAW } from '../../../g711.ts';
import { RateConverter } from '../../../rate-converter.ts';
import { runInOrder } from '../../testing/run-in-order.ts';
import { spokenWords, type SpokenWord } from '../../testing/spoken-tones.ts';

export type AgentAnswer =
  | string
  | { readonly call: { readonly name: string; readonly args: object }; readonly text?: string }
  | null;

export interface AgentServerOptions {
  /** @param remembers what the agent remembers, in words. Null: it says nothing. */
  answer: (remembers: readonly string[]) => AgentAnswer;
  /** What the user says, one after the other. */
  hears?: string[];
  /** @defaultValue it waits for the user */
  firstMessage?: string;
  /** Both ways. @defaultValue 'pcm_16000' */
  format?: string;
  /** How much faster time passes here. @defaultValue 20 */
  speed?: number;
  /** Whether it tells what it believes that was heard: only where that event is switched on. @defaultValue true */
  corrects?: boolean;
  /** The agent ends the call after this answer. */
  farewell?: string;
}

/** A message of the client, before it is checked. */
export interface AgentClientMessage {
  readonly type?: string;
  readonly user_audio_chunk?: string;
  readonly event_id?: number;
  readonly text?: string;
  readonly tool_call_id?: string;
  readonly result?: string;
  readonly is_error?: boolean;
}

/** How much faster time passes here than it does. */
export const SPEED = 10;

const KINDS = new Set(['pong', 'user_message', 'contextual_update', 'client_tool_result', 'user_activity']);
const LOUD = 600;
const SILENCE_MS = 300;
const VOICE_MS = 200;
/** Sound comes so much faster than it is heard. */
const SOONER = 4;

/** One conversation: it hears by loudness, answers by itself, and takes its time for the time of everybody. */
export class AgentPeer {
  readonly received: AgentClientMessage[] = [];
  readonly remembers: string[] = [];
  initiation: Readonly<Record<string, unknown>> | null = null;
  audioMs = 0;
  /** Pieces of sound that were sent, and those of its present answer that were not. */
  sounds = 0;
  unsent = 0;
  /** How much it believes that was heard of the last interrupted answer, ms. */
  interruptedAtMs = 0;
  readonly #socket: WebSocket;
  readonly #options: AgentServerOptions;
  readonly #rate: number;
  #eventId = 0;
  #silence = (): void => {};
  #vad = { voicedMs: 0, silentMs: 0 };
  /** What it says, and when it began to. */
  #saying: { readonly text: string; readonly at: number; readonly ms: number } | null = null;

  constructor(socket: WebSocket, options: AgentServerOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#rate = Number(this.#format.split('_')[1]);
    socket.on('message', (data) => this.#receive(JSON.parse(String(data)) as AgentClientMessage));
    socket.on('close', () => this.#stop());
    socket.on('error', () => {});
  }

  get #format(): string {
    return this.#options.format ?? 'pcm_16000';
  }

  get #speed(): number {
    return this.#options.speed ?? SPEED;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  ofType(type: string): AgentClientMessage[] {
    return this.received.filter((message) => message.type === type);
  }

  send(message: object): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Drops the connection without a word. */
  cut(): void {
    this.#socket.terminate();
  }

  hangUp(code = 1000): void {
    this.#socket.close(code);
  }

  /** It says something that nobody asked for. */
  volunteer(text: string): void {
    this.#say(text);
  }

  #receive(message: AgentClientMessage): void {
    if (this.initiation === null) {
      if (message.type !== 'conversation_initiation_client_data') return this.#refuse();
      return this.#begin(message as Readonly<Record<string, unknown>>);
    }
    if (message.user_audio_chunk !== undefined) return this.#hear(message.user_audio_chunk);
    if (!KINDS.has(message.type ?? '')) return this.#refuse();
    this.received.push(message);
    switch (message.type) {
      case 'user_message':
        this.remembers.push(`user: ${message.text}`);
        return this.#answer();
      case 'contextual_update':
        return void this.remembers.push(`context: ${message.text}`);
      case 'client_tool_result':
        this.remembers.push(`${message.is_error === true ? 'error' : 'result'}: ${message.result}`);
        return this.#answer();
    }
  }

  #begin(message: Readonly<Record<string, unknown>>): void {
    this.initiation = message;
    this.send({
      type: 'conversation_initiation_metadata',
      conversation_initiation_metadata_event: {
        conversation_id: 'conv_1',
        agent_output_audio_format: this.#format,
        user_input_audio_format: this.#format,
      },
    });
    this.send({ type: 'ping', ping_event: { event_id: (this.#eventId += 1), ping_ms: null } });
    if (this.#options.firstMessage !== undefined) this.#say(this.#options.firstMessage);
  }

  #refuse(): void {
    this.send({ type: 'error', error_event: { code: 1008, error_type: 'invalid_message' } });
    this.#socket.close(1008);
  }

  #hear(base64: string): void {
    const bytes = Buffer.from(base64, 'base64');
    const isUlaw = this.#format.startsWith('ulaw');
    const samples = isUlaw
      ? Int16Array.from(bytes, (byte) => ULAW[byte]!)
      : Int16Array.from({ length: bytes.length / 2 }, (_, at) => bytes.readInt16LE(at * 2));
    const ms = (samples.length * 1000) / this.#rate;
    this.audioMs += ms;
    const loud = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length) > LOUD;
    if (loud) {
      this.#vad.voicedMs += ms;
      this.#vad.silentMs = 0;
      if (this.#vad.voicedMs >= VOICE_MS) this.interrupt();
      return;
    }
    this.#vad.silentMs += ms;
    if (this.#vad.voicedMs === 0 || this.#vad.silentMs < SILENCE_MS) return;
    const heard = this.#vad.voicedMs >= VOICE_MS;
    this.#vad = { voicedMs: 0, silentMs: 0 };
    if (heard) this.#understand();
  }

  #understand(): void {
    const text = this.#options.hears?.shift();
    if (text === undefined) return;
    const event_id = (this.#eventId += 1);
    this.send({ type: 'user_transcript', user_transcription_event: { user_transcript: text, event_id } });
    this.remembers.push(`user: ${text}`);
    this.#answer();
  }

  /** It hears a voice while it speaks. */
  interrupt(): void {
    const saying = this.#saying;
    const saidMs = saying === null ? 0 : (Date.now() - saying.at) * this.#speed;
    if (saying === null || saidMs > saying.ms) return;
    this.#stop();
    this.interruptedAtMs = saidMs;
    this.send({ type: 'interruption', interruption_event: { event_id: this.#eventId } });
    const words = spokenWords(saying.text).filter(({ endMs }) => endMs <= saidMs);
    const corrected = words.map(({ text }) => text).join(' ');
    this.remembers[this.remembers.lastIndexOf(`agent: ${saying.text}`)] = `agent: ${corrected}`;
    if (this.#options.corrects === false) return;
    this.send({
      type: 'agent_response_correction',
      agent_response_correction_event: {
        original_agent_response: saying.text,
        corrected_agent_response: corrected,
        event_id: this.#eventId,
      },
    });
  }

  #answer(): void {
    const answer = this.#options.answer(this.remembers);
    if (answer === null) return;
    if (typeof answer === 'string') return this.#say(answer);
    if (answer.text !== undefined) this.#say(answer.text);
    const tool_call_id = `call_${(this.#eventId += 1)}`;
    this.remembers.push(`call: ${answer.call.name}`);
    this.send({
      type: 'client_tool_call',
      client_tool_call: {
        tool_name: answer.call.name,
        tool_call_id,
        parameters: answer.call.args,
        event_id: this.#eventId,
      },
    });
  }

  #say(text: string): void {
    this.#stop();
    const { farewell } = this.#options;
    const words = spokenWords(text.replace(/\[[^\]]*\]\s*/g, ''));
    const converter = new RateConverter(24_000, this.#rate);
    this.remembers.push(`agent: ${text}`);
    this.#saying = { text, at: Date.now(), ms: words.at(-1)?.endMs ?? 0 };
    const event_id = (this.#eventId += 1);
    this.send({ type: 'agent_response', agent_response_event: { agent_response: text, event_id } });
    this.unsent = words.length;
    const sounds = words.map((word) => ({
      atMs: word.startMs / SOONER / this.#speed,
      run: () => this.#sound(converter, word),
    }));
    const left = { atMs: (this.#saying.ms + 50) / this.#speed, run: () => this.hangUp() };
    this.#silence = runInOrder(text === farewell ? [...sounds, left] : sounds);
  }

  #sound(converter: RateConverter, { pcm }: SpokenWord): void {
    const sound = converter.convert(pcm);
    const bytes = this.#format.startsWith('ulaw')
      ? Buffer.from(sound.map(toUlaw))
      : Buffer.from(sound.buffer, sound.byteOffset, sound.byteLength);
    this.#eventId += 1;
    this.sounds += 1;
    this.unsent -= 1;
    this.send({ type: 'audio', audio_event: { audio_base_64: bytes.toString('base64'), event_id: this.#eventId } });
  }

  #stop(): void {
    this.#silence();
    this.unsent = 0;
    this.#saying = null;
  }
}
