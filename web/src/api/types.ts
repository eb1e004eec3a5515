import type { PersonaResponse } from '../../../control/api/personas/persona-schema.ts';
import type { CostDetails } from '../../../control/costs/cost-schema.ts';
import type { ProviderUsage } from '../../../control/sessions/records/provider-usage-schema.ts';
import type { SessionResponse } from '../../../control/sessions/records/session-schema.ts';
import type { TurnRecord } from '../session/turn-record.ts';

/** The parts of the API's objects that the console uses. */
export interface Avatar {
  readonly id: string;
  readonly displayName: string;
  readonly imageUrl: string;
  readonly landscapeImageUrl: string | null;
  readonly description?: string | null;
  readonly displayTags?: readonly string[];
  /** Avatar models that can render it, the usual one first. */
  readonly availableVersions: readonly string[];
  /** Null: one of the service's own. */
  readonly createdByOrganizationId?: string | null;
}

export interface Voice {
  readonly id: string;
  readonly displayName: string;
  readonly description: string | null;
  readonly gender: string | null;
  readonly provider: string;
  /** ISO 639-1 codes, the best one first; null: any. */
  readonly languages: readonly string[] | null;
  /** Works for an hour. */
  readonly sampleUrl: string | null;
  /** Null: one of the service's own. */
  readonly createdByOrganizationId: string | null;
}

export interface Llm {
  readonly id: string;
  readonly displayName: string;
  readonly description: string | null;
  readonly isDefault: boolean;
  /** `deprecated`: it works where it is used, but a persona cannot get it anew. */
  readonly displayTags: readonly string[];
  /** Its key cannot be opened: the master key has changed. */
  readonly unreadable?: true;
}

export interface PersonaSummary {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly avatar: Avatar | null;
  readonly voice: Voice | null;
  /** What it uses that was deleted. */
  readonly missing?: readonly ('avatar' | 'voice' | 'llm')[];
  readonly isDefaultPersona: boolean;
}

/** A persona with everything that belongs to it. */
export type Persona = PersonaResponse;

export interface Tool {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly type: 'CLIENT' | 'SERVER_RAG' | 'SERVER_WEBHOOK' | 'SYSTEM';
  readonly config: Readonly<Record<string, unknown>>;
}

export interface KnowledgeGroup {
  readonly id: string;
  readonly name: string;
}

export interface KnowledgeDocument {
  readonly id: string;
  readonly filename: string;
  readonly fileSize: number;
  readonly status: 'UPLOADED' | 'PROCESSING' | 'READY' | 'FAILED';
}

export interface VideoOrder {
  readonly script: string;
  readonly avatarId: string;
  readonly voiceId: string;
}

export interface AvatarVideo {
  readonly id: string;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled';
  readonly script: string;
  readonly avatarId: string;
  readonly width: number;
  readonly height: number;
  /** 0…1. */
  readonly progress: number;
  readonly durationSeconds: number | null;
  readonly videoUrl: string | null;
  readonly errorMessage: string | null;
  readonly createdAt: string;
}

export interface SessionSummary {
  readonly id: string;
  readonly personaId: string | null;
  /** Of a saved persona. */
  readonly personaVersion?: number | 'draft' | null;
  readonly clientLabel: string | null;
  /** Where it came from. */
  readonly source?: string;
  /** By the criteria of its persona. */
  readonly grade?: SessionResponse['grade'];
  readonly startTime: string | null;
  readonly endTime: string | null;
  readonly sessionLengthMs: number | null;
  readonly exitStatus: string | null;
  readonly end_reason?: string | null;
  readonly end_message?: string | null;
  readonly region?: string | null;
  /** Null: what was said is kept, as far as the persona allows it. */
  readonly contentDeletedAt?: string | null;
  readonly personaConfig: { readonly name?: string } | null;
  readonly toolCalls?: readonly ToolCall[];
  /** What its providers did. Only of a session that is read by itself, and so are the lines of its cost. */
  readonly usage?: readonly ProviderUsage[];
  readonly cost?: CostDetails;
}

export interface ToolCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly toolType: string;
  readonly status: string;
  readonly durationSeconds: number | null;
  readonly errorMessage: string | null;
}

export interface Transcript {
  readonly messages: readonly {
    readonly role: 'user' | 'persona';
    readonly message: string;
    readonly timestamp: string | null;
    readonly wasInterrupted?: boolean;
    readonly forPersona?: false;
  }[];
}

export interface AnalyticsTurn {
  readonly turnIndex: number;
  readonly correlationId: string;
  readonly userSpeechStartTime: string | null;
  readonly userSpeechEndTime: string | null;
  readonly userTranscriptionTime: string | null;
  readonly llmFirstOutputTime: string | null;
  readonly ttsStartTime: string | null;
  readonly personaStartSpeakingTime: string | null;
  readonly personaStopSpeakingTime: string | null;
  readonly finishReason: 'completed' | 'interrupted' | null;
  readonly providers?: TurnRecord['providers'];
  readonly toolCalls?: readonly {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly status: string;
    readonly startedAt: string;
    readonly durationSeconds: number | null;
  }[];
  readonly userMessage?: string | null;
  readonly assistantMessage?: string | null;
}

export interface Analytics {
  readonly durationSeconds: number | null;
  readonly summary: {
    readonly totalTurns: number;
    readonly interruptedTurns: number;
    readonly averageLatencies: {
      readonly firstAudioLatencySeconds: number | null;
      readonly llmTimeToFirstOutputSeconds: number | null;
      readonly transcriptionLatencySeconds: number | null;
    };
  };
  readonly turns: readonly AnalyticsTurn[];
}

export interface Page<T> {
  readonly data: readonly T[];
  readonly meta: { readonly total: number; readonly currentPage: number; readonly lastPage: number };
}
