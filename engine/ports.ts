import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { EventOf, PassthroughRefusal } from '../actors/events.ts';
import type { RoomAddress, SessionConfig, SessionResources } from '../actors/session-config.ts';
import type { EndReason, SessionReportEntry } from '../actors/report.ts';
import type { SpeechRecognizer, SpeechSynthesizer, VoiceTuning } from '../models/ports.ts';
import type { Viseme } from './media/visemes.ts';
import type { LoadShedding } from './face/worker/load-shedding.ts';
import type { RestorableSession } from './session/journal/journal.ts';
import type { AudioPacket, EncodedAudioFrame, EncodedVideoFrame } from './media/media-types.ts';
import type { MediaPaths } from './transport/transport-ports.ts';

export { VISEMES, type Viseme } from './media/visemes.ts';
export type {
  RevocationHandlers,
  MediaConnection,
  MediaHandlers,
  MediaPaths,
  Transport,
} from './transport/transport-ports.ts';

/**
 * How the parts of the engine fit together. Each interface is implemented in one folder of `engine/`; the session
 * host (`engine/session/`) is the only place that knows all of them. All times are engine time (`clock.ts`).
 */

// ───────────── audio-in/: Opus → speech probability and words ─────────────

/** Events about the user's audio, in the form of the actors. Only `endsAt` of a window is engine time here. */
export type AudioInEvent = EventOf<
  | 'vad.window'
  | 'stt.partial'
  | 'stt.final'
  | 'stt.failed'
  | 'stt.languageUnavailable'
  | 'endOfTurn.predicted'
  | 'enhancement.unavailable'
  | 'provider.used'
  | 'provider.metered'
>;

export interface AudioInHandlers {
  /** The event is not changed later. */
  report(event: AudioInEvent): void;
  /** The user's audio for recordings: 48 kHz mono, decoded and unfiltered. The receiver owns the buffer. */
  audio?(pcm: Int16Array, at: number): void;
}

export interface AudioInStream {
  packet(packet: AudioPacket): void;
  finish(): void;
  reset(): void;
  askEndOfTurn(): void;
  configure(options: { language?: string | null; enhancementLevel?: number }): void;
  close(): void;
}

export interface AudioIn {
  open(options: {
    sessionId: string;
    language: string | null;
    /** Key terms of this session, in addition to those of the deployment. @defaultValue none */
    keyTerms?: readonly string[];
    /** Id of the recognizer that is asked first. @defaultValue the first of the deployment */
    preferred?: string | null;
    /**
     * Replaces the deployment's recognizers; `elsewhere, from all`: it also gets audio without speech. @defaultValue
     * none
     */
    recognizer?: { readonly by: SpeechRecognizer; readonly words: 'elsewhere' | 'elsewhere, from all' } | null;
    enhancementLevel: number;
    handlers: AudioInHandlers;
  }): AudioInStream;
  /** Resolves when the recognizer is ready, or too late to wait for. Never rejects. @defaultValue at once */
  recognizing?(): Promise<void>;
  close(): Promise<void>;
}

// ───────────── audio-out/: text → paced audio frames, which can be lowered and cut ─────────────

/** Events about the persona's speech and about passthrough speech, in the form of the actors. */
export type AudioOutEvent = EventOf<
  | 'speech.firstAudio'
  | 'speech.timing'
  | 'speech.started'
  | 'speech.resumed'
  | 'speech.finished'
  | 'speech.cut'
  | 'speech.failed'
  | 'provider.used'
  | 'provider.metered'
  | 'passthrough.started'
  | 'passthrough.finished'
>;

export interface AudioOutHandlers {
  /** Every 20 ms, silence included. */
  frame(frame: EncodedAudioFrame): void;
  /** The samples of that frame, for recordings: 48 kHz mono, 960 samples, in a buffer of their own. Null: silence. */
  audio?(pcm: Int16Array | null, at: number): void;
  report(event: AudioOutEvent): void;
  /**
   * Mouth shapes to show from `startsAt` on. Called again with the same id and further shapes while a segment streams.
   */
  mouth(track: MouthTrack): void;
  /** The mouth closes at this time. All shapes after it are void. */
  mouthStopped(at: number): void;
  /**
   * Audio before it is sent, as early as it is known, for faces whose mouth follows the audio. Pieces come in order.
   * They come again if the audio moves to another time.
   */
  speechSound?(audio: SpeechAudio): void;
}

/** Audio before it is sent. It is void after the next `mouthStopped`. */
export interface SpeechAudio {
  /** When its first sample is heard. */
  readonly at: number;
  /** 48 kHz mono. */
  readonly pcm: Int16Array;
}

/** Mouth shapes with their times: ms from `startsAt`, sorted, without overlap. */
export interface MouthTrack {
  readonly segmentId: string;
  readonly startsAt: number;
  readonly shapes: readonly {
    readonly shape: Viseme;
    readonly startMs: number;
    readonly endMs: number;
    readonly weight: number;
  }[];
}

export interface AudioOutStream {
  /** Begins to send frames, with silence until the first segment. */
  start(): void;
  say(segment: { segmentId: string; text: string; language: string; pauseMs: number; spoken?: true }): void;
  /** Synthesizes the text that probably comes next. `say` with the same text then uses the audio that has arrived. */
  prepare(segment: { text: string; language: string }): void;
  duck(): void;
  unduck(): void;
  /** Drops the playback queue and answers with `cut`. */
  cut(): void;
  configure(tuning: VoiceTuning): void;
  /** Speech from the client: mono 16-bit PCM, 8 to 48 kHz. @returns `taken`, or why it was refused. */
  passthrough(pcm: Int16Array, sampleRate: number, sequence: number): 'taken' | PassthroughRefusal;
  passthroughEnd(): void;
  /** The recent loss of audio packets, 0…1. It decides whether packets carry FEC. */
  audioLost(share: number): void;
  close(): void;
}

/** Buffering of passthrough speech. */
export interface PassthroughLimits {
  /** How much of a sequence must have arrived before it starts, ms. */
  readonly startMs: number;
  /** How much audio may wait for playback, ms. */
  readonly mostWaitingMs: number;
}

export interface AudioOut {
  open(options: {
    sessionId: string;
    provider: string;
    providerVoiceId: string;
    /** Replaces that voice as long as it works. @defaultValue none */
    speaker?: SpeechSynthesizer | null;
    tuning: VoiceTuning;
    /** Probable ISO 639-1 code of the first segment. The TTS service is connected in advance for it. */
    language?: string;
    passthrough: boolean;
    /** @defaultValue those of the contract with clients */
    passthroughLimits?: PassthroughLimits;
    handlers: AudioOutHandlers;
  }): AudioOutStream;
  close(): Promise<void>;
}

// ───────────── face/: mouth shapes and moods → encoded frames ─────────────

export interface FaceHandlers {
  frame(frame: EncodedVideoFrame): void;
  /** No more frames will come. It is not called when a worker dies, because another one continues with a keyframe. */
  failed(message: string): void;
}

export interface FaceStream {
  /** Begins to send 25 frames a second. The codec is fixed until `setCodec`. */
  start(codec: 'h264' | 'vp8'): void;
  setCodec(codec: 'h264' | 'vp8'): void;
  show(mood: 'idle' | 'listening' | 'thinking' | 'speaking'): void;
  /** A director's cue; null: the session's baseline. */
  cue(tag: string | null): void;
  mouth(track: MouthTrack): void;
  mouthStopped(at: number): void;
  /** The speech as audio. Present only if the mouths of this engine follow the audio. */
  hear?(audio: SpeechAudio): void;
  keyframe(): void;
  setBitrate(bitsPerSecond: number): void;
  close(): void;
}

export interface Face {
  /**
   * Ensures that an avatar's source is on this machine, and fetches it if necessary. @throws AvatarUnavailableError
   */
  fetch(engineKey: string): Promise<void>;
  /** Whether the mouths follow the audio. Streams then have `hear`. */
  readonly hearsSpeech?: boolean;
  /**
   * Loads or draws an avatar. Resolves when it can be shown. A face that is drawn for the first time gets its details
   * while it is shown. Prepared avatars stay in memory. @throws as `fetch`, and when it cannot be drawn.
   */
  prepare(engineKey: string, width: number, height: number): Promise<void>;
  open(options: {
    sessionId: string;
    engineKey: string;
    width: number;
    height: number;
    disclosure: string | null;
    expressivity: number | null;
    baselineStyle: string | null;
    quality: 'auto' | 'high';
    handlers: FaceHandlers;
  }): FaceStream;
  close(): Promise<void>;
}

// ───────────── session/: what the control plane sees of the engine ─────────────

/** Stores the data of sessions. The control plane implements it. Its functions return quickly and never throw. */
export interface SessionSink {
  started(session: { sessionId: string; organizationId: string; startedAt: number }): void;
  /** Entries with content are left out when the session retains none (`zeroDataRetention`). */
  entry(sessionId: string, entry: SessionReportEntry): void;
  /** An entry that another process has reported before: it may not have been stored there. */
  entryAgain(sessionId: string, entry: SessionReportEntry): void;
  /**
   * Lines of the flight recorder (`actors/recorder/session-log.ts`), each with its line break. Never called for a
   * session with zero data retention.
   */
  log(sessionId: string, lines: string): void;
  /** No further entry or line of this session will come, but perhaps a recording. */
  closed(sessionId: string): void;
  /**
   * The session continues in another process. Resolves when all its data are stored, or cannot be stored soon, because
   * its client waits. Never rejects.
   */
  left(sessionId: string): Promise<void>;
  /** A finished recording's file. */
  recording(sessionId: string, file: { path: string; durationMs: number; bytes: number }): void;
}

export interface StartedSession {
  readonly sessionId: string;
  readonly startedAt: number;
}

export interface EngineStatus {
  readonly ready: boolean;
  readonly activeSessions: number;
  /** Maximum number of live sessions. It changes with the machine's load, unless a setting fixes it. */
  readonly capacity: number;
  /** The same without the load of other programs. At least `capacity`. */
  readonly capacityAlone: number;
  /** How many more sessions are accepted now. */
  readonly free: number;
  /** Whether the audio and video frames of all sessions are on time. */
  readonly promise: 'kept' | 'at risk';
  /** The present step of load shedding. */
  readonly saving: LoadShedding;
  readonly paths: MediaPaths;
}

/**
 * Why the control plane ends a session. The last four are for sessions in meetings. `engine_error`: its start failed.
 */
export type StopReason = Extract<
  EndReason,
  | 'engine_error'
  | 'stopped_by_api'
  | 'share_link_withdrawn'
  | 'usage_limit'
  | 'meeting_ended'
  | 'user_inactivity'
  | 'max_session_length'
  | 'connection_lost'
>;

export interface Engine {
  /**
   * @throws CapacityError when the machine or the settings allow no more sessions, AvatarUnavailableError,
   * VoiceUnavailableError
   */
  createSession(config: SessionConfig, resources: SessionResources): Promise<StartedSession>;
  /**
   * Prepares for a session that another process will soon hand over: reads its journal and draws its face, so that
   * `takeOver` has less to do. The session is not live here. It is forgotten if it does not come.
   * @throws as `takeOver` and `createSession`.
   */
  expect(past: RestorableSession): Promise<void>;
  /**
   * Continues a session of another process. Its client reconnects with its next offer. Resolves when the session is
   * live. It is accepted whatever the capacity.
   * @param loggedLines stored lines of its log; infinite: no more are to be stored. @defaultValue 0
   * @throws SessionRestoreError when its journal cannot be used, CapacityError when this engine accepts no sessions any
   * more.
   */
  takeOver(past: RestorableSession, resources: SessionResources, loggedLines?: number): Promise<StartedSession>;
  /**
   * Releases a session to another process. Its client is redirected at its next path check, or after 3 s, and the
   * journal is completed. Its socket closes with 1012. No end of the session is reported.
   * @returns false when no such session is live, or when it has no journal and therefore stays here. Never rejects.
   */
  handOver(sessionId: string): Promise<boolean>;
  /**
   * Another process has taken the session over. This engine drops it without a report to the sink or to its journal. A
   * session that is being restored does not become live.
   */
  sessionTakenOver(sessionId: string): void;
  /** @returns false when no such session is live. */
  stopSession(sessionId: string, reason: StopReason): boolean;
  /**
   * Ends an organization's sessions that are in this room as this participant, because another session replaces them.
   */
  leaveRoom(organizationId: string, room: Pick<RoomAddress, 'url' | 'room' | 'identity'>): void;
  /** Speaks text without the LLM. 'too much': the session's limit for waiting text is reached. */
  talk(sessionId: string, content: string): 'taken' | 'too much' | 'not live';
  isLive(sessionId: string): boolean;
  liveSessions(organizationId?: string): number;
  status(): EngineStatus;
  /**
   * Handles WebSocket upgrades of the signaling path.
   * @param elsewhere gets the upgrades for sessions that are not here. @defaultValue there is no other process
   */
  attach(server: Server, elsewhere?: SocketsElsewhere): void;
  /** Accepts no further session, and is no longer ready. Live sessions continue. */
  drain(): void;
  close(): Promise<void>;
}

/** A client's WebSocket that nobody has accepted yet. */
export interface OfferedSocket {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** The bytes after the request. */
  readonly head: Buffer;
}

/**
 * Forwards the socket of a session that is not here, perhaps after some seconds. Never rejects.
 * @returns `taken`: it has the socket. `nowhere`: there is no such session. `here`: the session has moved here
 * meanwhile. In the last two cases, the socket is unchanged.
 */
export type SocketsElsewhere = (sessionId: string, offered: OfferedSocket) => Promise<'taken' | 'nowhere' | 'here'>;

/** @param reason `busy`: there are free places, but the machine is too busy for one more session at present. */
export class CapacityError extends Error {
  override readonly name = 'CapacityError';
  readonly reason: 'full' | 'busy';

  constructor(reason: 'full' | 'busy' = 'full') {
    super(reason === 'full' ? 'Every session slot is taken.' : 'The machine is too busy for one more session.');
    this.reason = reason;
  }
}

/** The TTS service of a voice is not configured here, or not any more. */
export class VoiceUnavailableError extends Error {
  override readonly name = 'VoiceUnavailableError';

  constructor(provider: string) {
    super(`The TTS service "${provider}" is not configured.`);
  }
}

/**
 * The source of an avatar is not on this machine. `missing`: it does not exist elsewhere either; `damaged`: it was
 * fetched and is incomplete; `away`: it cannot be fetched now.
 */
export class AvatarUnavailableError extends Error {
  override readonly name = 'AvatarUnavailableError';
  readonly reason: 'missing' | 'damaged' | 'away';

  constructor(engineKey: string, reason: AvatarUnavailableError['reason'], options?: ErrorOptions) {
    super(`The photo of the avatar ${engineKey} ${WHY_UNAVAILABLE[reason]}.`, options);
    this.reason = reason;
  }
}

const WHY_UNAVAILABLE: Readonly<Record<AvatarUnavailableError['reason'], string>> = {
  missing: 'is missing',
  damaged: 'is damaged',
  away: 'cannot be fetched now',
};
