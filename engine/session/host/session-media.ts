import type { SessionEvent } from '../../../actors/events.ts';
import type { SessionConfig } from '../../../actors/session-config.ts';
import { engineNow } from '../../../runtime/clock.ts';
import type { ConnectionSnapshot } from '../../transport/connection-state.ts';
import { bitrateCeiling, DISCLOSURE_TEXT } from '../../face/index.ts';
import type { Logger } from '../../../runtime/log.ts';
import type { EncodedVideoFrame } from '../../media/media-types.ts';
import type { Recording, RecordingStream } from '../../recording/index.ts';
import type {
  Face,
  FaceStream,
  AudioIn,
  AudioInStream,
  MediaConnection,
  MediaHandlers,
  SpeechAudio,
  Transport,
  AudioOut,
  AudioOutEvent,
  AudioOutHandlers,
  AudioOutStream,
} from '../../ports.ts';
import type { RoomVisit } from '../../rooms/index.ts';
import type { FloodControl } from './flood-control.ts';
import { createReceivedMessages } from './received-messages.ts';
import { connectionEvents, onSessionClock } from './reported-events.ts';
import { sessionKeyTerms } from './session-key-terms.ts';
import { heardBy, spokenBy, type SpeechLink } from './speech-link.ts';
import { VideoFlow } from './video-flow.ts';

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
  /** The model that hears and speaks. @defaultValue recognizers and voices of the deployment */
  speech?: SpeechLink | null;
  /** The room that the persona goes into. @defaultValue clients come here */
  room?: RoomVisit | null;
  /** What stands for the client's connection, where it talks over a WebSocket. @defaultValue clients come here */
  realtime?: { readonly transport: Pick<Transport, 'open'>; reported(event: AudioOutEvent): void } | null;
  /** Of a session that goes on here. @defaultValue it begins here */
  past?: { readonly connection: ConnectionSnapshot | null; readonly media: 'had begun' | 'never began' } | null;
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

/** Each part is closed by `opened`, the last one first. The handlers name parts that are opened after theirs. */
function openParts(opened: DisposableStack, options: SessionMediaOptions): SessionMedia {
  const { config, dispatch, startedAt, log, room = null } = options;
  const { sessionId } = config;
  const recording = openRecording(options);
  opened.defer(() => recording?.close());
  const video = new VideoFlow({
    send: (frame) => connection.sendVideo(frame),
    face: () => face,
    recording,
    dispatch,
    media: options.past?.media ?? 'never began',
    now: engineNow,
  });

  opened.defer(() => options.speech?.close());
  opened.defer(() => room?.close());
  const connection = openConnection(options, {
    ...connectionEvents(dispatch, startedAt),
    message: createReceivedMessages(options),
    audioPacket: (packet) => audioIn.packet(packet),
    connected(kind) {
      audioOut.start();
      video.connected(() => dispatch({ type: 'peer.connected', kind }));
    },
    keyframeRequested: () => face.keyframe(),
    bitrateEstimated: (bitsPerSecond) => face.setBitrate(bitsPerSecond),
    audioLost: (share) => audioOut.audioLost(share),
  });
  opened.defer(() => connection.close());

  const audioIn = openAudioIn(options, recording);
  opened.defer(() => audioIn.close());

  const audioOut = openAudioOut(options, recording, {
    frame: (frame) => connection.sendAudio(frame),
    mouth: (track) => face.mouth(track),
    mouthStopped: (stoppedAt) => face.mouthStopped(stoppedAt),
    ...(options.face.hearsSpeech === true && { speechSound: (audio: SpeechAudio) => face.hear?.(audio) }),
  });
  opened.defer(() => audioOut.close());
  room?.speaksWith(audioOut);

  const face = openFace(options, (frame) => video.frame(frame));
  opened.defer(() => face.close());

  return {
    connection,
    audioIn,
    audioOut,
    face,
    offerAnswered: () => video.answered(connection.videoCodec),
    close() {
      opened.dispose();
      log.debug({ sessionId, at: engineNow() }, 'media closed');
    },
  };
}

/** @returns undefined when this session is not recorded. */
function openRecording({ config, recording, recorded, warn }: SessionMediaOptions): RecordingStream | undefined {
  return recording?.open({
    sessionId: config.sessionId,
    width: config.videoWidth,
    height: config.videoHeight,
    handlers: { finished: recorded, failed: (text) => warn('recording_failed', text) },
  });
}

function openConnection({ config, transport, room, realtime, past }: SessionMediaOptions, handlers: MediaHandlers) {
  const bitrate = { quality: config.videoQuality, ceiling: bitrateCeiling(config.videoWidth, config.videoHeight) };
  return (realtime ?? room ?? { transport }).transport.open(
    config.sessionId,
    handlers,
    bitrate,
    past?.connection ?? null,
  );
}

function openAudioIn(
  { config, audioIn, dispatch, startedAt, speech = null }: SessionMediaOptions,
  recording: RecordingStream | undefined,
): AudioInStream {
  return audioIn.open({
    sessionId: config.sessionId,
    language: config.languageCode,
    keyTerms: sessionKeyTerms(config),
    preferred: config.transcription?.recognizer ?? null,
    recognizer: speech?.recognizer ?? null,
    enhancementLevel: config.voiceDetection.speechEnhancementLevel,
    handlers: {
      report: (event) => dispatch(onSessionClock(heardBy(speech, event), startedAt)),
      ...(recording && { audio: (pcm: Int16Array, at: number) => recording.audio('user', pcm, at) }),
    },
  });
}

/** @param played where the sound goes, and the mouth. @throws VoiceUnavailableError */
function openAudioOut(
  { config, audioOut, dispatch, room = null, speech = null, realtime = null }: SessionMediaOptions,
  recording: RecordingStream | undefined,
  played: Pick<AudioOutHandlers, 'frame' | 'mouth' | 'mouthStopped' | 'speechSound'>,
): AudioOutStream {
  return audioOut.open({
    sessionId: config.sessionId,
    provider: config.voice.provider,
    providerVoiceId: config.voice.providerVoiceId,
    speaker: speech?.synthesizer ?? null,
    tuning: config.voice.tuning,
    language: config.languageCode ?? 'en',
    passthrough: config.enableAudioPassthrough,
    ...(room !== null && { passthroughLimits: room.limits }),
    handlers: {
      ...played,
      ...(recording && {
        audio: (pcm: Int16Array | null, at: number) => void (pcm && recording.audio('persona', pcm, at)),
      }),
      report: (event) => {
        spokenBy(speech, event);
        dispatch(event);
        room?.reported(event);
        realtime?.reported(event);
      },
    },
  });
}

function openFace(
  { config, face, dispatch, log }: SessionMediaOptions,
  frame: (frame: EncodedVideoFrame) => void,
): FaceStream {
  const { sessionId } = config;
  return face.open({
    sessionId,
    engineKey: config.avatar.engineKey,
    width: config.videoWidth,
    height: config.videoHeight,
    disclosure: config.showAIAvatarDisclosure ? DISCLOSURE_TEXT : null,
    expressivity: config.directorNotes?.expressivity ?? null,
    baselineStyle: config.directorNotes?.presetStyle ?? null,
    quality: config.videoQuality,
    handlers: {
      frame,
      failed: (message) => {
        log.error({ sessionId, message }, 'the face failed');
        dispatch({ type: 'service.stop', reason: 'engine_error' });
      },
    },
  });
}
