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
  let arrived: (stream: MediaStream) => void = () => undefined;
  let failed: (error: ClientError) => void = () => undefined;
  const stream = new Promise<MediaStream>((resolve, reject) => {
    arrived = resolve;
    failed = reject;
  });
  const kinds = new Set<string>();
  let media: MediaStream | null = null;
  const arrive = (): void => {
    // Tracks come with the answer, before it is known whether a firewall lets anything through.
    if (media !== null && kinds.size === 2 && session.isEstablished) arrived(media);
  };
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
        arrive();
      },
      ready: () => events.emit('SESSION_READY', start.sessionId),
      channelOpen: () => events.emit('DATA_CHANNEL_OPEN'),
      track: (stream, kind) => {
        // A replaced peer connection brings new tracks into the same stream.
        if (kinds.has(kind)) return;
        kinds.add(kind);
        media = stream;
        events.emit(kind === 'video' ? 'VIDEO_STREAM_STARTED' : 'AUDIO_STREAM_STARTED', stream);
        arrive();
      },
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
        failed(end.error ?? new ClientError('not_streaming', end.message));
        if (told) events.emit('CONNECTION_CLOSED', closedCodeOf(end), end.message, end);
      },
    },
    platform,
  );
  // Whoever waits for it gets the error; an end that nobody waits for is an event.
  stream.catch(() => undefined);
  return { session, stream };
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
