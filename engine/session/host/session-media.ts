import { parseClientMessage } from '../../signaling/index.ts';
import type { SessionEvent } from '../../../actors/events.ts';
import type { SessionConfig } from '../../../actors/session-config.ts';
import { engineNow } from '../../../runtime/clock.ts';
import type { ConnectionPast } from '../../transport/connection-state.ts';
import { bitrateCeiling, DISCLOSURE_TEXT } from '../../face/index.ts';
import type { Logger } from '../../../runtime/log.ts';
import type { EncodedVideoFrame } from '../../media/media-types.ts';
import type { Recording } from '../../recording/index.ts';
import type {
  Face,
  FaceStream,
  AudioIn,
  AudioInStream,
  MediaConnection,
  SpeechAudio,
  Transport,
  AudioOut,
  AudioOutStream,
} from '../../ports.ts';
import type { RoomVisit } from '../../rooms/index.ts';
import type { FloodControl } from './flood-control.ts';
import { createIgnoredMessages } from './ignored-messages.ts';
import { EarlyFrames } from './early-frames.ts';
import { LateVideoFrames } from './late-video-frames.ts';
import { sessionKeyTerms } from './session-key-terms.ts';

export interface SessionMedia {
  readonly connection: MediaConnection;
  readonly audioIn: AudioInStream;
  readonly audioOut: AudioOutStream;
  readonly face: FaceStream;
  /** An offer was answered: encoding begins, so that a frame is ready when the peer connects. */
  offerAnswered(): void;
  close(): void;
}

export interface SessionMediaOptions {
  config: SessionConfig;
  transport: Pick<Transport, 'open'>;
  audioIn: AudioIn;
  audioOut: AudioOut;
  face: Face;
  /** Null when this session is not recorded. */
  recording: Recording | null;
  recorded: (file: { path: string; durationMs: number; bytes: number }) => void;
  warn: (code: string, text: string) => void;
  startedAt: number;
  dispatch: (event: SessionEvent) => void;
  flood: FloodControl;
  /** The room that the persona goes into. @defaultValue clients come here */
  room?: RoomVisit | null;
  /** Of a session that goes on here. @defaultValue it begins here */
  past?: { readonly connection: ConnectionPast | null; readonly media: 'had begun' | 'never began' } | null;
  log: Logger;
}

/**
 * Opens connection, audio-in, audio-out and face of a session, and connects them to each other and to the actors.
 * @throws VoiceUnavailableError
 */
export function openMedia(options: SessionMediaOptions): SessionMedia {
  const opened = new DisposableStack();
  try {
    return openParts(opened, options);
  } catch (error) {
    // When one cannot be opened, those before it are closed.
    opened.dispose();
    throw error;
  }
}

function openParts(opened: DisposableStack, options: SessionMediaOptions): SessionMedia {
  const { config, dispatch, flood, log, room = null } = options;
  const { sessionId } = config;
  const at = (engineTime: number): number => engineTime - options.startedAt;
  let frames: 'waiting' | 'connected' | 'flowing' = 'waiting';
  let media = options.past?.media ?? 'never began';
  const earlyFrames = new EarlyFrames();

  const recording = options.recording?.open({
    sessionId,
    width: config.videoWidth,
    height: config.videoHeight,
    handlers: { finished: options.recorded, failed: (text) => options.warn('recording_failed', text) },
  });
  opened.defer(() => recording?.close());

  let codec: 'h264' | 'vp8' | null = null;
  const lateVideoFrames = new LateVideoFrames();

  const ignored = createIgnoredMessages({
    warn: (text) => options.warn('message_ignored', text),
    log: (problem) => log.info({ sessionId, problem }, 'a client message was ignored'),
  });

  opened.defer(() => room?.close());
  const connection = (room?.transport ?? options.transport).open(
    sessionId,
    {
      audioPacket: (packet) => audioIn.packet(packet),
      message: (text) => {
        const bytes = Buffer.byteLength(text);
        if (!flood.admits('data channel', bytes)) return;
        const parsed = parseClientMessage(text, { sessionId, inMeeting: config.meeting !== null });
        if (parsed.kind === 'event') {
          if (flood.admits(parsed.messageType, bytes)) dispatch(parsed.event);
        } else if (parsed.problem !== null) ignored(parsed.problem);
      },
      connected: (kind) => {
        const early = frames === 'waiting' ? earlyFrames.take(engineNow()) : [];
        if (frames === 'waiting') frames = 'connected';
        audioOut.start();
        for (const frame of early) connection.sendVideo(frame);
        dispatch({ type: 'peer.connected', kind });
        for (const frame of early) flow(frame);
        // It takes no picture, and waits for nothing more.
        if (codec === null) begin();
      },
      unresponsive: (arrivedUpTo) =>
        dispatch({ type: 'peer.unresponsive', ...(arrivedUpTo !== null && { arrivedUpTo: at(arrivedUpTo) }) }),
      responsive: () => dispatch({ type: 'peer.responsive' }),
      quiet: (arrivedUpTo) =>
        dispatch({ type: 'peer.quiet', ...(arrivedUpTo !== null && { arrivedUpTo: at(arrivedUpTo) }) }),
      flowing: (quietMs) => dispatch({ type: 'peer.flowing', quietMs }),
      path: (protocol) => dispatch({ type: 'peer.path', protocol }),
      closed: () => dispatch({ type: 'peer.closed' }),
      channelOpened: () => dispatch({ type: 'channel.opened' }),
      keyframeRequested: () => face.keyframe(),
      bitrateEstimated: (bitsPerSecond) => face.setBitrate(bitsPerSecond),
      audioLost: (share) => audioOut.audioLost(share),
    },
    { quality: config.videoQuality, ceiling: bitrateCeiling(config.videoWidth, config.videoHeight) },
    options.past?.connection ?? null,
  );
  opened.defer(() => connection.close());

  const audioIn = options.audioIn.open({
    sessionId,
    language: config.languageCode,
    keyTerms: sessionKeyTerms(config),
    preferred: config.transcription?.recognizer ?? null,
    enhancementLevel: config.voiceDetection.speechEnhancementLevel,
    handlers: {
      window: ({ probability, levelDb, endsAt, loudMs }) =>
        dispatch({
          type: 'vad.window',
          probability,
          levelDb,
          endsAt: at(endsAt),
          ...(loudMs !== undefined && { loudMs }),
        }),
      partial: (text) => dispatch({ type: 'stt.partial', text }),
      final: (text, language, confidence) =>
        dispatch({ type: 'stt.final', text, language, ...(confidence !== undefined && { confidence }) }),
      used: (use) => dispatch({ type: 'provider.used', service: 'stt', ...use }),
      endOfTurn: (probability) => dispatch({ type: 'endOfTurn.predicted', probability }),
      failed: (message) => dispatch({ type: 'stt.failed', message }),
      enhancementUnavailable: () => dispatch({ type: 'enhancement.unavailable' }),
      languageUnavailable: (language) => dispatch({ type: 'stt.languageUnavailable', language }),
      ...(recording && { audio: (pcm: Int16Array, audioAt: number) => recording.audio('user', pcm, audioAt) }),
    },
  });
  opened.defer(() => audioIn.close());

  const audioOut = options.audioOut.open({
    sessionId,
    provider: config.voice.provider,
    providerVoiceId: config.voice.providerVoiceId,
    tuning: config.voice.tuning,
    language: config.languageCode ?? 'en',
    passthrough: config.enableAudioPassthrough,
    ...(room !== null && { passthroughLimits: room.limits }),
    handlers: {
      frame: (frame) => connection.sendAudio(frame),
      ...(recording && {
        audio: (pcm: Int16Array | null, audioAt: number) => void (pcm && recording.audio('persona', pcm, audioAt)),
      }),
      firstAudio: (segmentId) => dispatch({ type: 'speech.firstAudio', segmentId }),
      timing: (segmentId, words, durationMs, complete) =>
        dispatch({ type: 'speech.timing', segmentId, words, durationMs, complete }),
      started: (segmentId) => dispatch({ type: 'speech.started', segmentId }),
      finished: (segmentId) => dispatch({ type: 'speech.finished', segmentId }),
      cut: (segmentId, playedMs) => dispatch({ type: 'speech.cut', segmentId, playedMs }),
      failed: (segmentId, message) => dispatch({ type: 'speech.failed', segmentId, message }),
      used: (use) => dispatch({ type: 'provider.used', service: 'tts', ...use }),
      passthroughStarted: () => {
        dispatch({ type: 'passthrough.started' });
        room?.voiceStarted();
      },
      passthroughFinished: (interrupted, playedMs) => {
        dispatch({ type: 'passthrough.finished', interrupted });
        room?.voiceFinished(interrupted, playedMs);
      },
      mouth: (track) => face.mouth(track),
      mouthStopped: (stoppedAt) => face.mouthStopped(stoppedAt),
      ...(options.face.hearsSpeech === true && { speechSound: (audio: SpeechAudio) => face.hear?.(audio) }),
    },
  });
  opened.defer(() => audioOut.close());
  room?.speaksWith(audioOut);

  /** A frame was encoded for a client that is connected. */
  function flow(frame: EncodedVideoFrame, verdict: 'send' | 'leave-out' | 'ask' = 'send'): void {
    if (codec !== null) recording?.frame(frame, codec);
    // The transport lets nothing pass before the client's first keyframe.
    if (frames !== 'connected' || verdict !== 'send' || !frame.keyframe) return;
    frames = 'flowing';
    begin();
  }

  function begin(): void {
    if (media === 'had begun') return;
    media = 'had begun';
    dispatch({ type: 'media.started' });
  }

  const face = options.face.open({
    sessionId,
    engineKey: config.avatar.engineKey,
    width: config.videoWidth,
    height: config.videoHeight,
    disclosure: config.showAIAvatarDisclosure ? DISCLOSURE_TEXT : null,
    expressivity: config.directorNotes?.expressivity ?? null,
    baselineStyle: config.directorNotes?.presetStyle ?? null,
    quality: config.videoQuality,
    handlers: {
      frame: (frame) => {
        const verdict = lateVideoFrames.judge(frame, engineNow());
        if (verdict === 'ask') face.keyframe();
        if (frames === 'waiting') return verdict === 'send' ? earlyFrames.add(frame) : earlyFrames.clear();
        if (verdict === 'send') connection.sendVideo(frame);
        flow(frame, verdict);
      },
      failed: (message) => {
        log.error({ sessionId, message }, 'the face failed');
        dispatch({ type: 'service.stop', reason: 'engine_error' });
      },
    },
  });
  opened.defer(() => face.close());

  return {
    connection,
    audioIn,
    audioOut,
    face,
    offerAnswered() {
      const next = connection.videoCodec;
      if (next === null || next === codec) return;
      if (codec === null) face.start(next);
      else face.setCodec(next);
      codec = next;
    },
    close() {
      opened.dispose();
      log.debug({ sessionId, at: engineNow() }, 'media closed');
    },
  };
}
