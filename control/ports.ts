import type { Embedder, LanguageModel, VoiceFamily } from '../models/ports.ts';
import type { KnowledgeSearch, McpServer, ToolDefinition } from '../actors/session-config.ts';
import type { HeldConversation, LlmDefinition, SpokenConversationRequest, SpokenTextRequest } from '../engine/index.ts';
import type { LatencyTable } from '../models/latency-table.ts';
import type { Image } from './catalogue/catalogue.ts';
import type { LocalModelResponse } from './api/operator/local-model-schema.ts';

/** What the control plane needs of other parts. `startControl` connects them; tests bring their own. */

/** Guards against URLs of users that point into the service's own network. */
export interface PublicUrls {
  /** @returns null when the URL may be saved, else a sentence that says why not. */
  problemWith(url: string): Promise<string | null>;
  /** Whether the operator allows the host of the URL, whatever its address is. */
  isException(url: URL): boolean;
  /**
   * Reads a file; private targets are refused at connection time, redirects included.
   * @throws Error whose message goes on from "… could not be fetched: " and tells nothing of any network.
   */
  download(url: string, limits: { readonly maxBytes: number; readonly timeoutMs: number }): Promise<Image>;
}

export interface LlmProviders {
  /** @param llmId id of a built-in LLM. @throws when the catalogue and the LLMs disagree. */
  stock(llmId: string): LanguageModel;
  /** An LLM of a customer; where the operator allows it, the stock LLM takes over when it fails. */
  custom(llm: LlmDefinition, use: CustomLlmUse): LanguageModel;
  /** Asks the endpoint what a session asks. Never rejects. */
  check(llm: LlmDefinition, signal: AbortSignal): Promise<LlmCheck>;
}

export interface CustomLlmUse {
  /** Of the session: an endpoint of that region is preferred. */
  readonly region: string | null;
  /** It keeps nothing of what it is sent, and only such LLMs take over from it. */
  readonly isZdr: boolean;
}

/** Asks MCP servers for their tools. */
export interface McpConnector {
  /** Connects, lists and disconnects; private targets are refused at connection time. Never rejects. */
  list(server: McpServer, signal: AbortSignal): Promise<McpToolList>;
}

export type McpToolList =
  | {
      readonly ok: true;
      readonly tools: readonly OfferedMcpTool[];
      /** What cannot be used, and why. */
      readonly leftOut: readonly { readonly name: string; readonly reason: string }[];
      /** A sentence on what may be missing, where the list broke off. */
      readonly incomplete: string | null;
    }
  /** `message` is a sentence for whoever configured the server. */
  | { readonly ok: false; readonly message: string };

export interface OfferedMcpTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
}

/** Runs a tool outside of a session. */
export interface ToolTester {
  /** Private targets are refused at connection time. Never rejects: what goes wrong is in `output`. */
  run(trial: {
    readonly organizationId: string;
    readonly tool: ToolDefinition;
    readonly args: Readonly<Record<string, unknown>>;
    readonly callId: string;
    readonly knowledge: KnowledgeSearch;
    readonly signal: AbortSignal;
  }): Promise<{ readonly ok: boolean; readonly output: string; readonly documentsAccessed: readonly string[] }>;
}

/** Turns an uploaded image into an avatar of the engine's library. */
export interface AvatarMaker {
  /**
   * @throws UnsuitableImageError when no avatar can be made from it, AvatarQueueFullError when too many others wait.
   */
  make(request: {
    readonly avatarId: string;
    readonly image: Image;
    readonly signal: AbortSignal;
  }): Promise<MadeAvatar>;
  /** Deletes what was generated. Does nothing when it is gone already. */
  remove(engineKey: string): Promise<void>;
}

export interface MadeAvatar {
  readonly engineKey: string;
  readonly landscape: Image | null;
  readonly portrait: Image | null;
  /** The whole photo for browsers, without what the upload has beside its pixels. */
  readonly shown: Image;
}

/** `message` tells the user what is wrong with the image. */
export class UnsuitableImageError extends Error {
  override readonly name = 'UnsuitableImageError';
}

/** Too many images wait, so this one is not accepted. */
export class AvatarQueueFullError extends Error {
  override readonly name = 'AvatarQueueFullError';
}

/** How an avatar waits, and how it introduces itself. */
export type PreviewKind = 'idle' | 'introduction';

export interface PreviewRequest {
  readonly engineKey: string;
  /** Whether every frame has the label that says that the face is an AI. */
  readonly disclosure: boolean;
  /** The MP4 to write: there, whole, when the promise resolves, and gone when it rejects. */
  readonly path: string;
  readonly signal: AbortSignal;
}

/** Makes short videos of avatars. Absent: avatars have no videos. */
export interface PreviewRenderer {
  /** Without sound; it ends as it begins. */
  idle(request: PreviewRequest): Promise<void>;
  introduction(
    request: PreviewRequest & { readonly displayName: string; readonly gender: 'female' | 'male' },
  ): Promise<void>;
}

/** How far a persona has come into a meeting. The words are those of the API. */
export type JoinState = 'joining' | 'waiting_room' | 'in_call' | 'media_denied' | 'media_granted' | 'media_active';

/** Why a visit to a meeting ended, or never began. The words are those of the API. */
export type MeetingEndReason =
  | 'removed_by_host'
  | 'meeting_ended'
  | 'not_admitted'
  | 'join_denied'
  | 'meeting_link_invalid'
  | 'meeting_not_started'
  | 'idle_timeout'
  | 'left_call'
  | 'provider_error';

export interface MeetingProviderInfo {
  /** `google_meet`, `zoom`, `microsoft_teams`, `jitsi` or `janus`. */
  readonly id: string;
  /** For people: `Google Meet`. */
  readonly name: string;
  /** Whether the connector has joined a meeting of the real service. */
  readonly tried: 'yes' | 'never';
  /** One sentence for people: what it was tried against, or that it was not. */
  readonly note: string;
  /** What a meeting must allow, so that a guest without an account can join. */
  readonly conditions: readonly string[];
}

/** What a participant of a meeting may know of the session that it brings along. */
export interface MeetingSession {
  readonly sessionId: string;
  /** The session's WebSocket on this machine, with its query. */
  readonly signalingUrl: string;
  readonly iceServers: readonly {
    readonly urls: readonly string[];
    readonly username?: string;
    readonly credential?: string;
  }[];
}

export interface MeetingVisitRequest {
  readonly inviteId: string;
  /** As `recognize` gave it. */
  readonly provider: string;
  /** As `recognize` gave it. */
  readonly meetingUrl: string;
  /** With " (AI)". */
  readonly displayName: string;
  /** ms from the call until the visit is ended, wherever it is. */
  readonly longestMs: number;
}

/** How a visit to a meeting ended. */
export interface MeetingEnd {
  readonly state: 'left' | 'done' | 'error';
  readonly reason: MeetingEndReason | null;
  /** For people: what happened. It quotes nothing of the meeting. */
  readonly message: string;
}

/** What a visit reports. None of these may throw. */
export interface MeetingHandlers {
  state(state: JoinState): void;
  /** The persona is in the meeting: the session starts now. @returns null: leave again. */
  admitted(): Promise<MeetingSession | null>;
  /**
   * The persona begins to leave, at most once: its session ends now, for this reason, and not because its connection is
   * lost a moment later. `ended` follows.
   */
  leaving(end: MeetingEnd): void;
  /**
   * The last call, exactly once. `left`: on request, or because the session or the meeting is over; `done`: nobody else
   * is there any more, or the longest time is over; `error`: it never came in, or the connection broke.
   */
  ended(end: MeetingEnd): void;
}

export interface MeetingVisit {
  /** Leaves the meeting. Resolves after `ended`; never rejects. */
  leave(): Promise<void>;
  /** What the persona sees, as a JPEG. Null: nothing yet, or it has left. */
  picture(): Promise<Uint8Array | null>;
}

/** Goes into meetings. Absent: invites answer that they are not enabled. */
export interface MeetingConnector {
  readonly providers: readonly MeetingProviderInfo[];
  /** @returns whose meeting it is and its address with https, or null when nobody here can join it. */
  recognize(link: string): { readonly provider: string; readonly url: string } | null;
  /** @returns which link is needed, where one of a known provider leads to no meeting: a sentence. */
  neededLink(link: string): string | null;
  /** Goes into a meeting. Never throws: what happens is reported. */
  join(request: MeetingVisitRequest, handlers: MeetingHandlers): MeetingVisit;
  /** Leaves all meetings. */
  close(): Promise<void>;
}

/** Nothing here goes into meetings. */
export interface MeetingsUnavailable {
  /** Why, and what the operator can do: for people. */
  readonly why: string;
  /** Whether a connector would know whose meeting a link leads to. */
  recognizes(link: string): boolean;
}

/** Renders a script into a video file, offline. Absent: videos stay queued. */
export interface VideoRenderer {
  /** A record was queued or cancelled: check the table. */
  wake(): void;
}

/** Speaks short texts outside of sessions. Absent: voices have no samples. */
export interface VoiceSpeaker {
  /** @returns a WAV file, spoken by this voice and no other. @throws Error with a message for people. */
  speak(request: SpokenTextRequest): Promise<Uint8Array>;
}

/** Holds conversations of tests in sound. Absent: tests are held in text. */
export interface SpokenTests {
  /** It takes as long as a call. @throws Error with a message for people, or the signal's reason. */
  hold(request: SpokenConversationRequest): Promise<HeldConversation>;
}

/** Copies voices from recordings, at one TTS service. */
export interface VoiceCloner {
  /** The spelling of the HTTP API: `provider` of the voices that it makes. */
  readonly provider: string;
  /** Key of the synthesizer in the engine's registry. */
  readonly engineProvider: string;
  readonly family: VoiceFamily;
  /** What a recording should be like, as a sentence. */
  readonly advice: string;
  /** ISO 639-1 codes that a copy can have. Null: any. */
  readonly languages: readonly string[] | null;
  /** @throws VoiceCloningError */
  clone(request: {
    readonly name: string;
    readonly description: string | null;
    readonly organizationId: string;
    readonly language: string;
    readonly enhance: boolean;
    /** On disk. */
    readonly recording: { readonly path: string; readonly filename: string; readonly contentType: string };
    readonly signal: AbortSignal;
  }): Promise<{ readonly providerVoiceId: string; readonly providerModelId: string | null }>;
  /** Deletes a copy at the service. Does nothing when it is gone already. @throws VoiceCloningError */
  remove(providerVoiceId: string, signal: AbortSignal): Promise<void>;
}

/** `message` is a sentence for people. */
export class VoiceCloningError extends Error {
  override readonly name = 'VoiceCloningError';
  /**
   * `request`: the recording or a field is not accepted; `plan`: the operator's plan does not allow it; `busy`: later;
   * `failed`: the service, or the operator's key.
   */
  readonly problem: 'request' | 'plan' | 'busy' | 'failed';

  constructor(problem: VoiceCloningError['problem'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

/** The faces that are drawn before somebody wants to talk to them. */
export interface AvatarPrerendering {
  /** @returns whether drawing continues, how many are drawn and how many there are. */
  status(): { readonly drawing: boolean; readonly drawn: number; readonly total: number };
}

/** Neural models for this machine. Absent: the operator does not want any. */
export interface LocalModelLibrary {
  /** In the order of preference. */
  list(): Promise<readonly LocalModelResponse[]>;
  /** Begins to fetch it, unless it is here or on its way. @returns null when there is no such model. */
  fetch(id: string): Promise<LocalModelResponse | null>;
  /** Whether the service will start again for new models. */
  restart(): 'none' | 'when idle';
}

/** What came of the check of an LLM. */
export interface LlmCheck {
  /** What is wrong; null when nothing is. */
  readonly message: string | null;
  /** What the endpoint refused, and what is done about it, a sentence each. */
  readonly notes: readonly string[];
}

/** What came of sending an event. */
export interface EventAnswer {
  /** Null: there was no answer. */
  readonly status: number | null;
  /** A sentence for whoever set the webhook up; null: it was accepted. */
  readonly problem: string | null;
  /** How long the receiver wants to be left alone, ms. Undefined: it does not say. */
  readonly retryAfterMs?: number;
}

/**
 * Sends one event to a receiver. Private targets are refused at connection time, and redirects are not followed. Never
 * rejects.
 */
export type EventPost = (event: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
  /** Ends it before its time. */
  readonly signal: AbortSignal;
}) => Promise<EventAnswer>;

export interface ControlPorts {
  readonly postEvent: EventPost;
  readonly publicUrls: PublicUrls;
  readonly llms: LlmProviders;
  readonly mcp: McpConnector;
  readonly tools: ToolTester;
  readonly faces: AvatarPrerendering;
  readonly avatarMaker: AvatarMaker | null;
  readonly previewRenderer: PreviewRenderer | null;
  readonly meetings: MeetingConnector | null;
  /** Null: the connector is there. */
  readonly meetingsUnavailable: MeetingsUnavailable | null;
  readonly videos: VideoRenderer | null;
  readonly voiceSpeaker: VoiceSpeaker | null;
  readonly spokenTests: SpokenTests | null;
  /** The preferred one first. None: no voice can be copied here. */
  readonly voiceCloners: readonly VoiceCloner[];
  readonly embedder: Embedder | null;
  /** How soon providers answer. */
  readonly latencies: Pick<LatencyTable, 'rows' | 'listen'>;
  readonly localModels: LocalModelLibrary | null;
}
