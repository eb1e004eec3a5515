import type { WebSocket } from 'ws';
import type { SessionEvent } from '../../actors/events.ts';
import { Resampler } from '../audio-out/tts/resampler.ts';
import { FRAME_SAMPLES, SAMPLE_RATE } from '../media/audio-format.ts';
import { engineNow, systemTimers } from '../../runtime/clock.ts';
import type { AudioOutEvent, MediaHandlers, Transport } from '../ports.ts';
import { limitReadRate } from '../signaling/index.ts';
import { encodeAudio, rateOf } from './audio-format.ts';
import { ClientSide } from './client-side.ts';
import { ConversationLog } from './conversation-log.ts';
import { WebSocketConnection } from './websocket-connection.ts';
import { described, type RealtimeSettings } from './realtime-settings.ts';
import { Microphone } from './microphone.ts';
import { PersonaSide } from './persona-side.ts';
import { ResponseWriter } from './response-writer.ts';
import { written, type ServerEvent } from './server-events.ts';

/** Sound that a client does not take: half a minute of it. */
const MAX_UNSENT_BYTES = 4 * 1024 * 1024;
const PING_EVERY_MS = 10_000;
const SILENCE = new Int16Array(FRAME_SAMPLES);

export interface RealtimeEndpointOptions {
  readonly sessionId: string;
  /** What the client calls the model: the persona. */
  readonly model: string;
  readonly behavior: 'of the client' | 'fixed';
  readonly greeting: string | null;
  readonly dispatch: (event: SessionEvent) => void;
  /** The client is there: its session begins. */
  readonly enter: () => void;
}

/** A session whose client is one of OpenAI's Realtime interface: the persona is its model. */
export class RealtimeEndpoint {
  /** Opens what stands for the client's peer connection. */
  readonly transport: Pick<Transport, 'open'> = { open: (_id, handlers) => this.#open(handlers) };
  readonly #options: RealtimeEndpointOptions;
  readonly #persona: PersonaSide;
  readonly #client: ClientSide;
  #handlers: MediaHandlers | null = null;
  #microphone: Microphone | null = null;
  #resampler: Resampler | null = null;
  #socket: WebSocket | null = null;
  #names: 'released' | 'beta' = 'released';
  #ping: NodeJS.Timeout | undefined;

  constructor(options: RealtimeEndpointOptions) {
    this.#options = options;
    const send = (event: ServerEvent): void => this.#send(event);
    const log = new ConversationLog(send);
    const writer = new ResponseWriter(send, log);
    this.#persona = new PersonaSide({
      send,
      log,
      writer,
      position: () => this.#microphone?.positionMs ?? 0,
      encode: (pcm) => this.#encode(pcm),
      silence: SILENCE,
      now: engineNow,
    });
    this.#client = new ClientSide({
      send,
      log,
      writer,
      persona: this.#persona,
      microphone: () => this.#microphone,
      message: (message) => this.#handlers?.message(JSON.stringify(message)),
      dispatch: options.dispatch,
      behavior: options.behavior,
      greeting: options.greeting,
      describe: (settings) => this.#describe(settings),
    });
  }

  /** A client has come. A session has one, and only once. @returns whether it is taken. */
  attach(socket: WebSocket, names: 'released' | 'beta'): boolean {
    if (this.#socket !== null || this.#handlers === null) return false;
    this.#socket = socket;
    this.#names = names;
    const reading = limitReadRate(socket);
    socket.on('message', (data, isBinary) => {
      const text = String(data);
      reading.read(text.length);
      if (!isBinary) this.#client.receive(text);
    });
    socket.on('close', () => {
      reading.close();
      this.#left();
    });
    socket.on('error', () => {});
    this.#watch(socket);
    this.#send({ type: 'session.created', session: this.#describe(this.#client.settings) });
    this.#options.enter();
    this.#microphone?.start();
    this.#handlers.connected('first');
    this.#handlers.channelOpened();
    return true;
  }

  /** What the persona's voice does. */
  reported(event: AudioOutEvent): void {
    if (event.type === 'speech.cut') this.#persona.silenced();
  }

  #open(handlers: MediaHandlers): WebSocketConnection {
    this.#handlers = handlers;
    this.#microphone = new Microphone(systemTimers, (packet) => handlers.audioPacket(packet));
    return new WebSocketConnection({
      voice: (pcm) => this.#persona.voice(pcm),
      message: (text) => this.#persona.message(text),
      closed: () => this.#close(),
    });
  }

  #describe(settings: RealtimeSettings) {
    const { sessionId: id, model } = this.#options;
    return described(settings, { id: `sess_${id}`, model }, this.#names);
  }

  #encode(pcm: Int16Array): string {
    const { output } = this.#client.settings;
    if (this.#resampler?.outputRate !== rateOf(output)) {
      this.#resampler?.close();
      this.#resampler = new Resampler(SAMPLE_RATE, rateOf(output));
    }
    return encodeAudio(output, this.#resampler.convert(pcm)).toString('base64');
  }

  #send(event: ServerEvent): void {
    const socket = this.#socket;
    if (socket === null || socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MAX_UNSENT_BYTES) return socket.close(1008, 'The client does not read.');
    const text = written(event, this.#names);
    if (text !== null) socket.send(text);
  }

  /** A client that is gone without a word is noticed. */
  #watch(socket: WebSocket): void {
    let answered = true;
    socket.on('pong', () => (answered = true));
    this.#ping = setInterval(() => {
      if (!answered) return socket.terminate();
      answered = false;
      socket.ping();
    }, PING_EVERY_MS);
  }

  #left(): void {
    clearInterval(this.#ping);
    this.#options.dispatch({ type: 'client.hangUp' });
  }

  #close(): void {
    clearInterval(this.#ping);
    this.#microphone?.close();
    this.#microphone = null;
    this.#resampler?.close();
    this.#resampler = null;
    this.#socket?.close(1000, 'The session is over.');
  }
}
