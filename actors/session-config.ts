import type { LanguageModel, VoiceFamily, VoiceTuning } from '../models/ports.ts';

/**
 * Everything a session needs to know about its persona, resolved: ids are looked up, defaults filled in, ranges
 * checked. The control plane makes it, the engine runs it, the actors decide by it. It is plain data (clonable,
 * loggable once redacted); live objects are in `SessionResources`.
 */
export interface SessionConfig {
  readonly sessionId: string;
  readonly organizationId: string;
  readonly personaId: string | null;
  readonly personaName: string;
  readonly greeting: GreetingConfig;
  readonly systemPrompt: string;
  readonly personality: string | null;
  /** ISO 639-1, or null: detect. */
  readonly languageCode: string | null;
  /** ISO 639-1 codes that the recognizers understand. @defaultValue 'any' */
  readonly recognizedLanguages?: readonly string[] | 'any';
  /** What the organization wants of the recognizers. @defaultValue nothing */
  readonly transcription?: TranscriptionWishes;
  readonly voiceDetection: VoiceDetection;
  readonly voice: VoiceChoice;
  readonly llm: LlmChoice;
  readonly avatar: AvatarChoice;
  readonly tools: readonly ToolDefinition[];
  /** Titles of what the persona can search, for recognizers: users may say them. @defaultValue none */
  readonly knowledgeTitles?: readonly string[];
  readonly directorNotes: DirectorNotes | null;
  readonly enableAudioPassthrough: boolean;
  readonly maxSessionLengthSeconds: number | null;
  readonly zeroDataRetention: boolean;
  readonly recordingEnabled: boolean;
  readonly videoQuality: 'auto' | 'high';
  readonly videoWidth: number;
  readonly videoHeight: number;
  readonly showAIAvatarDisclosure: boolean;
  readonly region: string | null;
  readonly clientLabel: string | null;
  /** The client has a widget or a share link, and no API key or token from one. @defaultValue false */
  readonly isVisitor?: boolean;
  /** Null: an ordinary session, with one user. */
  readonly meeting: MeetingConfig | null;
}

/** A web meeting in which the persona is a participant. */
export interface MeetingConfig {
  /** The name that the other participants see, with its " (AI)". */
  readonly displayName: string;
  /** The persona joins silently, and in a group answers only when it is addressed by name. */
  readonly groupCall: boolean;
}

export interface TranscriptionWishes {
  /** Id of the recognizer that is asked first; null: the operator's order. */
  readonly recognizer: string | null;
  /** Names and terms that users say. */
  readonly keyTerms: readonly string[];
}

export interface GreetingConfig {
  readonly skip: boolean;
  /** Spoken verbatim; null → the LLM makes one. */
  readonly initialMessage: string | null;
  readonly uninterruptible: boolean;
}

/** `voiceDetectionOptions` with the defaults filled in. Units: seconds, 0…1. */
export interface VoiceDetection {
  /** 0 waits until confident, 1 answers sooner. @defaultValue 0.5 */
  readonly endOfSpeechSensitivity: number;
  /** Silence before the persona prompts the user; 0 never. @defaultValue 5 */
  readonly silenceBeforeSkipTurnSeconds: number;
  /** Silence before the session ends; 0 never. @defaultValue 60 */
  readonly silenceBeforeSessionEndSeconds: number;
  /** Cap on the wait for a speaker who paused in mid-sentence. @defaultValue 5 */
  readonly silenceBeforeAutoEndTurnSeconds: number;
  /** Noise filter strength; 0 bypasses it. @defaultValue 0.8 */
  readonly speechEnhancementLevel: number;
}

export interface VoiceChoice {
  readonly voiceId: string | null;
  /** Key of the synthesizer in the engine's registry. */
  readonly provider: string;
  readonly providerVoiceId: string;
  readonly family: VoiceFamily;
  /** ISO 639-1 codes that it speaks. @defaultValue 'any' */
  readonly languages?: readonly string[] | 'any';
  readonly tuning: VoiceTuning;
}

export type LlmChoice =
  /** The client thinks; the service only hears and speaks (`CUSTOMER_CLIENT_V1`, `none`). */
  | { readonly kind: 'client' }
  | {
      readonly kind: 'service';
      readonly llmId: string;
      readonly displayName: string;
      /** Only `parsed` reasoning is shown to the client. */
      readonly reasoningFormat: 'parsed' | 'raw' | 'hidden' | null;
      /** It hears and speaks itself. @defaultValue false */
      readonly speaks?: boolean;
      /** It is an agent of another service, with a prompt and tools of its own, and talks by itself. @defaultValue false */
      readonly agent?: boolean;
    };

export interface AvatarChoice {
  readonly avatarId: string;
  readonly model: 'cara-2' | 'cara-3' | 'cara-4' | 'cara-4-latest';
  /** Key of the prepared avatar in the engine's library. */
  readonly engineKey: string;
}

export interface DirectorNotes {
  readonly presetStyle?: string;
  readonly customStylePrompt?: string;
  readonly expressivity?: number;
}

/** What the service itself can do when the LLM asks for it; `actors/tools/system-tools.ts` describes each. */
export const SYSTEM_ACTIONS = ['change_language', 'skip_turn', 'pause_conversation', 'end_call', 'interrupt'] as const;
export type SystemAction = (typeof SYSTEM_ACTIONS)[number];

interface ToolBase {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments that the LLM fills in. */
  readonly parameters: Record<string, unknown>;
  readonly disableInterruptions: boolean;
}

export type ToolDefinition =
  | (ToolBase & { readonly kind: 'client'; readonly awaitResult: boolean; readonly toolTimeoutSeconds: number })
  | (ToolBase & {
      readonly kind: 'webhook';
      readonly url: string;
      readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
      readonly headers: Readonly<Record<string, string>>;
      readonly bodyTemplate: string | null;
      /** What the body template can name beside the arguments. @defaultValue nothing */
      readonly variables?: Readonly<Record<string, string>>;
      readonly queryParameters: Record<string, unknown> | null;
      readonly awaitResponse: boolean;
    })
  | (ToolBase & { readonly kind: 'rag'; readonly documentFolderIds: readonly string[] })
  /** `remoteName` is what the server calls it; `name` is made unique within the session. */
  | (ToolBase & { readonly kind: 'mcp'; readonly server: McpServer; readonly remoteName: string })
  | (ToolBase & { readonly kind: 'system'; readonly action: SystemAction });

/** A server of the Model Context Protocol that offers tools, with its secrets in the clear. */
export interface McpServer {
  readonly id: string;
  readonly name: string;
  /** Of its Streamable HTTP endpoint. */
  readonly url: string;
  readonly auth: McpAuth;
  /** Longest call, connecting included; 1…60. */
  readonly timeoutSeconds: number;
}

export type McpAuth =
  | { readonly type: 'none' }
  | { readonly type: 'bearer'; readonly token: string }
  /** OAuth 2.1 client credentials; the secret is sent to no other issuer than this one. */
  | {
      readonly type: 'client_credentials';
      readonly clientId: string;
      readonly clientSecret: string;
      readonly issuer: string;
      readonly scope?: string | undefined;
    };

/** Searches the knowledge groups of an organization. Implemented by the control plane, called by the engine. */
export interface KnowledgeSearch {
  search(request: {
    readonly organizationId: string;
    readonly groupIds: readonly string[];
    readonly query: string;
    readonly limit: number;
    /** The query may go only where nothing of it is kept. */
    readonly zeroDataRetention: boolean;
    readonly signal: AbortSignal;
  }): Promise<readonly KnowledgeHit[]>;
}

export interface KnowledgeHit {
  readonly documentId: string;
  readonly filename: string;
  readonly content: string;
  /** 0…1, higher is closer. */
  readonly score: number;
  readonly chunkIndex: number;
}

/** Something that a session lacks from its start. The code is for the session's record, the text for the client. */
export interface StartWarning {
  readonly code: 'mcp_tools_missing' | 'language_unavailable';
  readonly text: string;
}

/** A room of a LiveKit server, and who the persona is there. */
export interface RoomAddress {
  /** `wss:` or `https:`; with `ws:` or `http:` only a host that the operator allows. */
  readonly url: string;
  /** A secret: it lets anybody join. */
  readonly token: string;
  readonly room: string;
  /** Of the persona. */
  readonly identity: string;
  /** Identity of the agent whose speech the persona says. */
  readonly agent: string;
}

/** The live objects of a session, which cannot travel inside its configuration. */
export interface SessionResources {
  /** Null for `llm.kind === 'client'`. */
  readonly llm: LanguageModel | null;
  readonly knowledge: KnowledgeSearch;
  /** What the client is told at the start: something that its persona has is missing. */
  readonly warnings?: readonly StartWarning[];
  /**
   * The persona joins this room, and speaks for the agent there. Nobody else connects. Not in the configuration, because
   * that is logged. @defaultValue clients connect
   */
  readonly room?: RoomAddress;
  /**
   * Its client is one of OpenAI's Realtime interface, over a WebSocket. `fixed`: it cannot change what the persona does.
   * @defaultValue clients connect with WebRTC
   */
  readonly realtime?: { readonly behavior: 'of the client' | 'fixed' };
  /** Only pages of this origin may connect: `scheme://host[:port]`. Absent: any client. */
  readonly onlyOrigin?: string;
  /**
   * What whoever made these needs to make them again in another process, as text: it goes into the session's journal.
   * @defaultValue nothing
   */
  readonly head?: string;
}
