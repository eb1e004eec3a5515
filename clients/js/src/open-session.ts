import type { Conversation } from './conversation.ts';
import type { Emitter } from './emitter.ts';
import { ClientError } from './errors.ts';
import type { ClientEvents } from './events.ts';
import { LiveSession } from './live-session.ts';
import type { ClientOptions } from './options.ts';
import type { Platform } from './platform.ts';
import { resumeKey } from './resume.ts';
import { closedCodeOf, type SessionEnd } from './session-end.ts';
import { gatewayUrl, signalingUrl, type StartResponse } from './start-response.ts';

export interface OpenedSession {
  readonly session: LiveSession;
  /** The stream, when audio and video are in it and flow. Rejects with a ClientError when the session ends before. */
  readonly stream: Promise<MediaStream>;
}

/**
 * Connects to a started session and tells the listeners what happens to it.
 * @param ended is told first; it returns false for an end that the listeners are not to hear of.
 * @throws ClientError when the browser refuses to connect; nothing stays open then.
 */
export function openSession(
  start: StartResponse,
  options: ClientOptions,
  conversation: Conversation,
  events: Emitter<ClientEvents>,
  on: {
    /** What the persona said under this id, if it was a talk, has ended. */
    readonly talkOver: (correlationId: string, interrupted: boolean) => void;
    readonly ended: (end: SessionEnd) => boolean;
  },
  platform: Platform,
): OpenedSession {
  const arrival = new StreamArrival(events, () => session.isEstablished);
  const session = new LiveSession(
    {
      start,
      signalingUrl: () => socketUrl(start, options),
      rtcConfiguration: rtcConfiguration(start, options),
      audio: options.disableInputAudio === true ? 'recvonly' : 'sendrecv',
      resume: resumeKey(options.resume) !== null,
    },
    {
      state: (state) => events.emit('CONNECTION_STATE_CHANGED', state),
      established: () => {
        events.emit('CONNECTION_ESTABLISHED');
        arrival.look();
      },
      ready: () => events.emit('SESSION_READY', start.sessionId),
      channelOpen: () => events.emit('DATA_CHANNEL_OPEN'),
      track: (stream, kind) => arrival.track(stream, kind),
      message: (message) => {
        if (message.kind === 'speech' && message.event.role === 'persona' && message.event.endOfSpeech)
          on.talkOver(message.event.correlationId, message.event.interrupted);
        conversation.take(message);
      },
      warning: (text) => conversation.warned(text),
      talkInterrupted: (correlationId) => {
        on.talkOver(correlationId, true);
        events.emit('TALK_STREAM_INTERRUPTED', correlationId);
      },
      ended: (end) => {
        conversation.end();
        const told = on.ended(end);
        arrival.failed(end.error ?? new ClientError('not_streaming', end.message));
        if (told) events.emit('CONNECTION_CLOSED', closedCodeOf(end), end.message, end);
      },
    },
    platform,
  );
  return { session, stream: arrival.stream };
}

/** Waits for both tracks of the persona, and for a connection that lets something through. */
class StreamArrival {
  readonly stream: Promise<MediaStream>;
  readonly failed: (error: ClientError) => void;
  readonly #events: Emitter<ClientEvents>;
  readonly #arrived: (stream: MediaStream) => void;
  readonly #isEstablished: () => boolean;
  readonly #kinds = new Set<string>();
  #media: MediaStream | null = null;

  constructor(events: Emitter<ClientEvents>, isEstablished: () => boolean) {
    let arrived: (stream: MediaStream) => void = () => undefined;
    let failed: (error: ClientError) => void = () => undefined;
    this.stream = new Promise<MediaStream>((resolve, reject) => {
      arrived = resolve;
      failed = reject;
    });
    // Whoever waits for it gets the error; an end that nobody waits for is an event.
    this.stream.catch(() => undefined);
    this.#events = events;
    this.#isEstablished = isEstablished;
    this.#arrived = arrived;
    this.failed = failed;
  }

  track(stream: MediaStream, kind: string): void {
    // A replaced peer connection brings new tracks into the same stream.
    if (this.#kinds.has(kind)) return;
    this.#kinds.add(kind);
    this.#media = stream;
    this.#events.emit(kind === 'video' ? 'VIDEO_STREAM_STARTED' : 'AUDIO_STREAM_STARTED', stream);
    this.look();
  }

  /** Tracks come with the answer, before it is known whether a firewall lets anything through. */
  look(): void {
    if (this.#media !== null && this.#kinds.size === 2 && this.#isEstablished()) this.#arrived(this.#media);
  }
}

function socketUrl(start: StartResponse, { api }: ClientOptions): string {
  const direct = signalingUrl(start);
  const gateway = api?.apiGateway;
  return gateway?.enabled === true ? gatewayUrl(gateway.baseUrl, gateway.wsPath ?? '/ws', direct) : direct;
}

function rtcConfiguration({ clientConfig }: StartResponse, options: ClientOptions): RTCConfiguration {
  const { iceServers, rtcConfiguration } = options;
  return {
    iceServers: clientConfig.iceServers,
    iceTransportPolicy: clientConfig.iceTransportPolicy ?? 'all',
    ...rtcConfiguration,
    ...(iceServers !== undefined && { iceServers: [...iceServers] }),
  };
}
