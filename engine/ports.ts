import type { Server } from 'node:http';
import type { SessionConfig, SessionResources } from '../actors/session-config.ts';
import type { SessionReportEntry } from '../actors/report.ts';
import type { VadWindow } from '../actors/vad/vad-window.ts';
import type { ProviderUse, TimedUnit, VoiceTuning } from '../models/ports.ts';
import type { AudioPacket, EncodedAudioFrame, EncodedVideoFrame } from './media-types.ts';

/**
 * How the parts of the engine fit together. Each interface is implemented in one folder of `engine/`; the session
 * host (`engine/session/`) is the only place that knows all of them. All times are engine time (`clock.ts`).
 */

// ───────────── transport/: one client's WebRTC connection, across restarts and replaced peers ─────────────

export interface MediaHandlers {
  /** One Opus packet from the user's microphone, in order of arrival. */
  audioPacket(packet: AudioPacket): void;
  /** A text message on the data channel, at most 64 KiB. */
  message(text: string): void;
  connected(kind: 'first' | 'renewed' | 'replacement'): void;
  /**
   * The client does not answer what it always answers at once. `arrivedUpTo`: what was sent until then has arrived;
   * null: nobody knows.
   */
  unresponsive(arrivedUpTo: number | null): void;
  /** It answers again, or is not waited for any longer. */
  responsive(): void;
  /** No packet for the front's silence limit. `arrivedUpTo` as above. */
  quiet(arrivedUpTo: number | null): void;
  flowing(quietMs: number): void;
  /** DTLS close alert or SCTP abort: the client hung up. */
  closed(): void;
  channelOpened(): void;
  keyframeRequested(): void;
  /** What the network is thought to carry, bits per second for video. */
  bitrateEstimated(bitsPerSecond: number): void;
  /**
   * The receiver counted the audio packets, a few times a minute or more. @param share 0…1 that got lost since the last
   * report.
   */
  audioLost(share: number): void;
}

export interface MediaConnection {
  /**
   * Answers an offer. The first one makes the peer, one with the same DTLS fingerprint restarts ICE, another one
   * replaces the peer. @throws OfferError with a text for the log when the SDP cannot be answered.
   */
  acceptOffer(sdp: string): { readonly answer: string; readonly kind: 'first' | 'restart' | 'replacement' };
  /** Never throws: candidates that come early, late or empty are buffered or dropped. */
  addCandidate(candidate: string, sdpMid: string | null): void;
  /** Null until an offer was answered. */
  readonly videoCodec: 'h264' | 'vp8' | null;
  /** When a packet that proves to be the client's last came, even one that nobody could answer. Null: never. */
  readonly heardAt: number | null;
  sendAudio(frame: EncodedAudioFrame): void;
  sendVideo(frame: EncodedVideoFrame): void;
  /**
   * Queues a data-channel message. It is delivered in order and once, also across reconnects and to another peer
   * connection of the client; only at the edge of an outage after which the peer is another can it come twice
   * (`transport/channel/outbox.ts`).
   */
  sendMessage(text: string): void;
  close(): void;
}

export interface Transport {
  readonly udpPort: number;
  /**
   * @param video `ceiling`: bits per second that the video can use at most. `quality`: `auto` (default) follows the
   * network, `high` stays at the ceiling unless much is lost for long.
   */
  open(
    sessionId: string,
    handlers: MediaHandlers,
    video?: { readonly ceiling?: number; readonly quality?: 'auto' | 'high' },
  ): MediaConnection;
  close(): Promise<void>;
}

// ───────────── audio-in/: Opus in → speech probability and words ─────────────

export interface AudioInHandlers {
  /** Times of the window are engine time. The object is not changed later. */
  window(window: VadWindow): void;
  partial(text: string): void;
  final(text: string, language: string | null): void;
  /** Before a final: which recognizer of several gave it. */
  used?(use: ProviderUse): void;
  endOfTurn(probability: number): void;
  /**
   * Hearing was interrupted, or words cannot be had: what was being said counts as far as it is known. Hearing goes on
   * by itself when it can.
   */
  failed(message: string): void;
  /** Called once when the noise filter is wanted but cannot be used. */
  enhancementUnavailable(): void;
  /** Called when no recognizer understands the language of the session, once for each such language. */
  languageUnavailable(language: string): void;
  /** The user's audio as recorded: 48 kHz mono, after decoding, before filtering. */
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
    /** What may be said by name in this session, besides the key terms of the deployment. @defaultValue none */
    keyTerms?: readonly string[];
    /** Id of the recognizer that is asked first. @defaultValue the first of the deployment */
    preferred?: string | null;
    enhancementLevel: number;
    handlers: AudioInHandlers;
  }): AudioInStream;
  close(): Promise<void>;
}

// ───────────── audio-out/: text → sound, paced, duckable, cut to the sample ─────────────

export interface AudioOutHandlers {
  /** Every 20 ms, silence included. */
  frame(frame: EncodedAudioFrame): void;
  /** The sound of that frame for recorders: 48 kHz mono, 960 samples. Null for silence. */
  audio?(pcm: Int16Array | null, at: number): void;
  firstAudio(segmentId: string): void;
  timing(segmentId: string, words: readonly TimedUnit[], durationMs: number, complete: boolean): void;
  started(segmentId: string): void;
  finished(segmentId: string): void;
  cut(segmentId: string | null, playedMs: number): void;
  failed(segmentId: string, message: string): void;
  /** Which voice of several speaks from now on. */
  used?(use: ProviderUse): void;
  passthroughStarted(): void;
  passthroughFinished(interrupted: boolean): void;
  /**
   * Mouth shapes to show from `startsAt` on. Called again with the same id and later shapes while a segment streams.
   */
  mouth(track: MouthTrack): void;
  /** The mouth closes at this time, whatever was announced. */
  mouthStopped(at: number): void;
  /**
   * The sound that will be heard, as far ahead as it is known, for faces that move by it. Pieces of a sound come in
   * order, and again when it moves.
   */
  speechSound?(audio: SpeechAudio): void;
}

/** Sound before it is heard. It counts until the next `mouthStopped`. */
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

/**
 * The mouth shapes: named by the sounds that make them. 'rest' is the closed, relaxed mouth; 'mbp' presses the lips.
 */
export const VISEMES = [
  'rest',
  'mbp',
  'fv',
  'th',
  'td',
  'kg',
  'ch',
  'sz',
  'n',
  'r',
  'aa',
  'ae',
  'eh',
  'ih',
  'oh',
  'ou',
  'w',
] as const;
export type Viseme = (typeof VISEMES)[number];

export interface AudioOutStream {
  /** Begins to send frames (silence until something is said). */
  start(): void;
  say(segment: { segmentId: string; text: string; language: string; pauseMs: number }): void;
  duck(): void;
  unduck(): void;
  /** Drops everything queued and answers with `cut`. */
  cut(): void;
  configure(tuning: VoiceTuning): void;
  /** Client-made speech: 16-bit little-endian mono PCM. @returns false when this session does not take it. */
  passthrough(pcm: Int16Array, sampleRate: number, sequence: number): boolean;
  passthroughEnd(): void;
  /** So much of the sound got lost on its way lately, 0…1: the rest is sent so that it makes up for it. */
  audioLost(share: number): void;
  close(): void;
}

export interface AudioOut {
  open(options: {
    sessionId: string;
    provider: string;
    providerVoiceId: string;
    tuning: VoiceTuning;
    /** ISO 639-1 of what will probably be said first: a service with connections is connected to ahead of it. */
    language?: string;
    passthrough: boolean;
    handlers: AudioOutHandlers;
  }): AudioOutStream;
  close(): Promise<void>;
}

// ───────────── face/: mouth shapes and moods → encoded frames ─────────────

export interface FaceHandlers {
  frame(frame: EncodedVideoFrame): void;
  /** No more frames come. A worker that dies is no failure: another goes on, from a keyframe. */
  failed(message: string): void;
}

export interface FaceStream {
  /** Begins to send frames: 25 a second from now on. The codec is fixed until `setCodec`. */
  start(codec: 'h264' | 'vp8'): void;
  setCodec(codec: 'h264' | 'vp8'): void;
  show(mood: 'idle' | 'listening' | 'thinking' | 'speaking'): void;
  /** A director's cue or null for the session's baseline. */
  cue(tag: string | null): void;
  mouth(track: MouthTrack): void;
  mouthStopped(at: number): void;
  /** What the mouth says, as sound. Present only when faces of this engine move by it. */
  hear?(audio: SpeechAudio): void;
  keyframe(): void;
  setBitrate(bitsPerSecond: number): void;
  close(): void;
}

export interface Face {
  /** True when the faces move by the sound of the speech: streams then have `hear`. */
  readonly hearsSpeech?: boolean;
  /**
   * Loads and prepares an avatar; resolves when frames can be made at once. Cheap the second time. A face that is drawn
   * for the first time gets its details while it is shown.
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

/** Where a session leaves its data. Implemented by the control plane; must return quickly and never throw. */
export interface SessionSink {
  started(session: { sessionId: string; organizationId: string; startedAt: number }): void;
  /** Not called for content when the session keeps none (`zeroDataRetention`). */
  entry(sessionId: string, entry: SessionReportEntry): void;
  /**
   * More lines of the flight recorder (`actors/recorder/session-log.ts`), each with its end. Never of a session that
   * keeps no data.
   */
  log(sessionId: string, lines: string): void;
  /** No entry and no line of this session follows. A recording may. */
  closed(sessionId: string): void;
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
  readonly capacity: number;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface Engine {
  /** @throws CapacityError when every slot is taken, AvatarUnavailableError when the face cannot be prepared. */
  createSession(config: SessionConfig, resources: SessionResources): Promise<StartedSession>;
  /** @returns false when no such session is live. */
  stopSession(sessionId: string, reason: 'stopped_by_api' | 'share_link_withdrawn' | 'usage_limit'): boolean;
  /** Speaks text verbatim, unless no such session is live or it was given more than it takes. */
  talk(sessionId: string, content: string): 'taken' | 'too much' | 'not live';
  isLive(sessionId: string): boolean;
  liveSessions(organizationId?: string): number;
  status(): EngineStatus;
  /** Takes WebSocket upgrades of the signaling path from the HTTP server. */
  attach(server: Server): void;
  close(): Promise<void>;
}

export class CapacityError extends Error {
  constructor() {
    super('Every session slot is taken.');
    this.name = 'CapacityError';
  }
}
