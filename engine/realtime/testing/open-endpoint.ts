import { EventEmitter } from 'node:events';
import type { WebSocket } from 'ws';
import type { SessionEvent } from '../../../actors/events.ts';
import { OpusEncoder } from '../../audio-out/encode/opus-encoder.ts';
import type { AudioPacket } from '../../media/media-types.ts';
import type { MediaConnection, MediaHandlers } from '../../ports.ts';
import { RealtimeEndpoint, type RealtimeEndpointOptions } from '../realtime-endpoint.ts';

type Json = Readonly<Record<string, unknown>>;

/** A client's socket without a network. */
class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  isPaused = false;
  readonly sent: Json[] = [];
  closedWith: number | null = null;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Json);
  }

  close(code: number): void {
    this.closedWith ??= code;
    this.readyState = 3;
  }

  terminate(): void {
    this.close(1006);
    this.emit('close');
  }

  ping(): void {}
  pause(): void {}
  resume(): void {}
}

/** A endpoint whose session and client are the test. */
export function openRealtimeEndpoint(
  options: Partial<RealtimeEndpointOptions> = {},
  names: 'released' | 'beta' = 'released',
) {
  const events: SessionEvent[] = [];
  const messages: Json[] = [];
  const packets: AudioPacket[] = [];
  const told: string[] = [];
  const endpoint = new RealtimeEndpoint({
    sessionId: 'session',
    model: 'persona',
    behavior: 'of the client',
    greeting: null,
    dispatch: (event) => void events.push(event),
    enter: () => void told.push('enter'),
    ...options,
  });
  const handlers = {
    audioPacket: (packet: AudioPacket) => void packets.push(packet),
    message: (text: string) => void messages.push(JSON.parse(text) as Json),
    connected: () => void told.push('connected'),
    channelOpened: () => void told.push('channel'),
  } as Partial<MediaHandlers> as MediaHandlers;
  const connection: MediaConnection = endpoint.transport.open('session', handlers);
  const socket = new FakeSocket();
  const encoder = new OpusEncoder();
  const tone = Int16Array.from({ length: 960 }, (_, at) => 8_000 * Math.sin(at / 20));
  return {
    endpoint,
    socket,
    events,
    messages,
    packets,
    told,
    attach: () => endpoint.attach(socket as unknown as WebSocket, names),
    /** The client sends an event. */
    send: (event: Json) => void socket.emit('message', Buffer.from(JSON.stringify(event)), false),
    /** The persona is heard for so many frames of 20 ms. */
    sounds(frames: number): void {
      for (let frame = 0; frame < frames; frame += 1) connection.sendAudio({ data: encoder.encode(tone), at: 0 });
    },
    /** The session tells its client something. */
    tells: (messageType: string, data: Json) => connection.sendMessage(JSON.stringify({ messageType, data })),
    /** Types of what the client was told since the last call, neighbors of one type once. */
    types(): string[] {
      const types = socket.sent.splice(0).map(({ type }) => String(type));
      return types.filter((type, at) => type !== types[at - 1]);
    },
    close(): void {
      connection.close();
      encoder.close();
    },
  };
}

export const speech = (role: 'user' | 'persona', content: string, rest: Json = {}): Json => ({
  message_id: 'm',
  content_index: 0,
  content,
  role,
  end_of_speech: role === 'user',
  interrupted: false,
  user_action_correlation_id: 'turn-1',
  timestamp: '2026-01-01T00:00:00.000Z',
  ...rest,
});
