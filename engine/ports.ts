import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { EventOf, PassthroughRefusal } from '../actors/events.ts';
import type { RoomAddress, SessionConfig, SessionResources } from '../actors/session-config.ts';
import type { EndReason, SessionReportEntry } from '../actors/report.ts';
import type { SpeechRecognizer, SpeechSynthesizer, VoiceTuning } from '../models/ports.ts';
import type { Viseme } from './media/visemes.ts';
import type { LoadShedding } from './face/worker/load-shedding.ts';
import type { SessionPast } from './session/journal/journal.ts';
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

/** What is heard of the user, as the actors are told it; only `endsAt` of a window is engine time here. */
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
  /** The user's audio as recorded: 48 kHz mono, after decoding, before filtering. The memory is the receiver's. */
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
    /** Who hears in place of the deployment's recognizers, and whether also what is no speech. @defaultValue nobody */
    recognizer?: { readonly by: SpeechRecognizer; readonly words: 'elsewhere' | 'elsewhere, from all' } | null;
    enhancementLevel: number;
    handlers: AudioInHandlers;
  }): AudioInStream;
  /** Resolves when the recognizer keeps up with speech, or is not waited for. Never rejects. @defaultValue at once */
  recognizing?(): Promise<void>;
  close(): Promise<void>;
}

// ───────────── audio-out/: text → paced audio frames, which can be lowered and cut ─────────────

/** What becomes of the persona's speech and of the client's own, as the actors are told it. */
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
  /** The samples of that frame, for recorders: 48 kHz mono, 960 samples, in memory of their own. Null: silence. */
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

/** When to show which mouth. Times in ms from `startsAt`, sorted, without overlap. */
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
  /** Synthesizes what is probably said next. `say` with the same text then begins with what has arrived. */
  prepare(segment: { text: string; language: string }): void;
  duck(): void;
  unduck(): void;
  /** Drops the playback queue and answers with `cut`. */
  cut(): void;
  configure(tuning: VoiceTuning): void;
  /** Speech from the client: mono PCM of 16 bits, 8 to 48 kHz. @returns why it was not taken. */
  passthrough(pcm: Int16Array, sampleRate: number, sequence: number): 'taken' | PassthroughRefusal;
  passthroughEnd(): void;
  /** The share of audio packets lost lately, 0…1. It decides whether packets carry FEC. */
  audioLost(share: number): void;
  close(): void;
}

/** How speech of the client is taken. */
export interface PassthroughLimits {
  /** How much of a sequence must be there before it starts, ms. */
  readonly startMs: number;
  /** How much sound may wait to be heard, ms. */
  readonly mostWaitingMs: number;
}

export interface AudioOut {
  open(options: {
    sessionId: string;
    provider: string;
    providerVoiceId: string;
    /** Who speaks in place of that voice, as long as it can. @defaultValue nobody */
    speaker?: SpeechSynthesizer | null;
    tuning: VoiceTuning;
    /** ISO 639-1 of the first segment, probably. The TTS service is connected to before that. */
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
  /** No more frames come. If a worker dies, another one continues with a keyframe, and this is not called. */
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
   * Has what an avatar is drawn from on this machine: fetches it if it is elsewhere. @throws AvatarUnavailableError
   */
  fetch(engineKey: string): Promise<void>;
  /** True when the mouths follow the audio. Streams then have `hear`. */
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
  /** No further entry or line of this session comes. A recording may still come. */
  closed(sessionId: string): void;
  /**
   * The session goes on in another process. Resolves when everything of it is stored, or cannot be stored soon:
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
  /** Sessions that can be live at the same time. It changes with the load of the machine, unless it is set. */
  readonly capacity: number;
  /** The same, if no other program needed the machine. At least `capacity`. */
  readonly capacityAlone: number;
  /** How many more sessions are taken now. */
  readonly free: number;
  /** Whether sound and frames of all sessions are on time. */
  readonly promise: 'kept' | 'at risk';
  /** What the faces give up for that. */
  readonly saving: LoadShedding;
  readonly paths: MediaPaths;
}

/**
 * Why the control plane ends a session: the last four are of sessions in meetings. `engine_error`: it could not be
 * started completely.
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
   * @throws CapacityError when the machine or the settings allow no more, AvatarUnavailableError when its face cannot
   * be had here, VoiceUnavailableError when its voice cannot.
   */
  createSession(config: SessionConfig, resources: SessionResources): Promise<StartedSession>;
  /**
   * A session of another process will soon be handed over to this one: what has happened in it so far is read, and its
   * face is drawn, so that `takeOver` has only the rest to do. Nothing of it is live here. It is forgotten if it does
   * not come.
   * @throws as `takeOver` and `createSession`.
   */
  expect(past: SessionPast): Promise<void>;
  /**
   * Goes on with a session of another process: its client comes with its next offer. Resolves when it is live. A call
   * that goes on is taken whatever the capacity.
   * @param loggedLines lines of its log that are stored; infinite: no more are to be stored. @defaultValue 0
   * @throws SessionPastError when its past cannot be used, CapacityError when this engine takes nothing any more.
   */
  takeOver(past: SessionPast, resources: SessionResources, loggedLines?: number): Promise<StartedSession>;
  /**
   * Lets a session go on elsewhere: its client is sent away when it checks its path the next time, or after 3 s, and
   * the journal is left with everything in it. Its socket closes with 1012. Nothing of its end is reported.
   * @returns false when no such session is live, or it has no journal: it then goes on here. Never rejects.
   */
  handOver(sessionId: string): Promise<boolean>;
  /**
   * Another process has taken the session over. This engine drops it without a report to the sink or to its journal. A
   * session that is being restored does not become live.
   */
  sessionTakenOver(sessionId: string): void;
  /** @returns false when no such session is live. */
  stopSession(sessionId: string, reason: StopReason): boolean;
  /** Ends the sessions of an organization that are in this room as this participant: another one takes their place. */
  leaveRoom(organizationId: string, room: Pick<RoomAddress, 'url' | 'room' | 'identity'>): void;
  /** Speaks text without the LLM. 'too much': the session's limit for waiting text is reached. */
  talk(sessionId: string, content: string): 'taken' | 'too much' | 'not live';
  isLive(sessionId: string): boolean;
  liveSessions(organizationId?: string): number;
  status(): EngineStatus;
  /**
   * Takes WebSocket upgrades of the signaling path from the HTTP server.
   * @param elsewhere is offered those of sessions that are not here. @defaultValue there is no other place
   */
  attach(server: Server, elsewhere?: SocketsElsewhere): void;
  /** Takes no further session, and is not ready any more. Those that are live go on. */
  drain(): void;
  close(): Promise<void>;
}

/** A client's WebSocket that nobody has accepted yet. */
export interface OfferedSocket {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** What came after the request. */
  readonly head: Buffer;
}

/**
 * Takes a socket of a session that is not here, perhaps after some seconds. Never rejects.
 * @returns `taken`: it has the socket. `nowhere`: there is no such session, and the socket is as it was. `here`: the
 * session has come here meanwhile, and the socket is as it was.
 */
export type SocketsElsewhere = (sessionId: string, offered: OfferedSocket) => Promise<'taken' | 'nowhere' | 'here'>;

/** @param reason `busy`: not all places are taken, and the machine has no time for one more at present. */
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
 * What an avatar is drawn from is not on this machine. `missing`: nor where it could be fetched from; `damaged`: it was
 * fetched, and is not whole; `away`: it cannot be fetched now.
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
