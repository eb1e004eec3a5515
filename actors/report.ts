import type { Amounts } from '../models/ports.ts';

/**
 * What a session leaves behind, entry by entry as it happens, so that a killed process loses nothing that was said.
 * Times are ms on the session's clock; whoever stores them adds the session's wall-clock start.
 */
export type SessionReportEntry =
  | { readonly kind: 'message'; readonly message: TranscriptMessage }
  | { readonly kind: 'turn'; readonly turn: TurnRecord }
  | { readonly kind: 'toolCall'; readonly call: ToolCallRecord }
  | { readonly kind: 'usage'; readonly usage: UsageRecord }
  /** The client was warned. The engine adds these: no actor reports them. */
  | { readonly kind: 'warning'; readonly at: number; readonly code: string }
  | { readonly kind: 'error'; readonly at: number; readonly code: string }
  | { readonly kind: 'end'; readonly end: SessionEnd };

export interface TranscriptMessage {
  readonly messageId: string;
  readonly role: 'user' | 'persona';
  /** Who of a meeting said it. Absent in a session with one user, and for the persona. */
  readonly speaker?: string;
  /** What was said; for the persona only what was heard. */
  readonly text: string;
  readonly at: number;
  readonly speakingMs: number | null;
  readonly interrupted: boolean;
  /** Only where false: it was understood, but not taken as said to the persona, and got no answer. */
  readonly forPersona?: false;
}

/** One user turn and the reply to it. Turn 0 is the greeting. Absent stages are null. */
export interface TurnRecord {
  readonly turnIndex: number;
  readonly correlationId: string;
  readonly userSpeechStartedAt: number | null;
  readonly userSpeechEndedAt: number | null;
  /** When the floor decided that the turn was over. */
  readonly endOfTurnAt: number | null;
  readonly transcribedAt: number | null;
  readonly llmRequestedAt: number | null;
  readonly llmFirstOutputAt: number | null;
  readonly llmFinalOutputAt: number | null;
  readonly synthesisStartedAt: number | null;
  readonly synthesisFirstAudioAt: number | null;
  readonly synthesisEndedAt: number | null;
  readonly speakingStartedAt: number | null;
  readonly speakingEndedAt: number | null;
  readonly finishReason: 'completed' | 'interrupted' | null;
  readonly interruptedStage: 'before_llm_output' | 'during_llm_generation' | 'before_audio' | 'while_speaking' | null;
  readonly userText: string | null;
  readonly personaText: string | null;
  readonly toolCallIds: readonly string[];
  /** By which providers it was understood, answered and said; several when one took over. Absent: nobody knows. */
  readonly providers?: {
    readonly stt: readonly string[];
    readonly llm: readonly string[];
    readonly tts: readonly string[];
  };
}

/** Written when it starts and again when it ends; the later entry of a `callId` wins. */
export interface ToolCallRecord {
  readonly turnIndex: number;
  readonly correlationId: string;
  readonly callId: string;
  readonly toolName: string;
  readonly toolType: 'client' | 'server' | 'system';
  readonly toolSubtype: 'rag' | 'webhook' | null;
  readonly status: 'started' | 'completed' | 'failed';
  readonly startedAt: number;
  readonly completedAt: number | null;
  readonly errorMessage: string | null;
  readonly arguments: Readonly<Record<string, unknown>> | null;
  readonly result: string | null;
  readonly documentsAccessed: readonly string[] | null;
}

/** What one provider has done in the session so far. The later entry of a service, provider and place wins. */
export interface UsageRecord {
  readonly service: 'stt' | 'llm' | 'tts';
  readonly provider: string;
  /** In the operator's order. An LLM with place 0 is the persona's own. */
  readonly place: number;
  readonly amounts: Amounts;
}

export interface SessionEnd {
  readonly reason: EndReason;
  /** The text that the client was told; also stored as `end_message`. */
  readonly message: string;
  readonly exitStatus: 'NORMAL_EXIT' | 'CLOSED_BY_ENGINE' | 'ERROR';
  /** Whether a client was ever told that the session is ready. Without that there was no conversation. */
  readonly connected: boolean;
  readonly at: number;
}

/** Why a session ended, as its report and the API name it. */
export type EndReason =
  | 'client_disconnected'
  | 'end_call'
  | 'user_inactivity'
  | 'max_session_length'
  | 'stopped_by_api'
  | 'share_link_withdrawn'
  | 'usage_limit'
  | 'meeting_ended'
  | 'engine_shutdown'
  | 'connection_lost'
  | 'never_connected'
  | 'engine_error';
