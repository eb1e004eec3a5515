import type { ToolCall } from './tool-call.ts';

/** Tags that a director's cue may have. */
export const DIRECTOR_NOTE_CUE_TAGS = [
  'happy',
  'warm',
  'playful',
  'laughter',
  'curious',
  'supportive',
  'concerned',
  'sad',
  'surprised',
  'angry',
  'distressed',
] as const;

export type DirectorNoteCueTag = (typeof DIRECTOR_NOTE_CUE_TAGS)[number];

/** When a cue takes effect: at once, after a time, or at a time of what the persona says now. */
export type DirectorNoteCueOptions =
  | { readonly inSeconds?: number; readonly atSeconds?: never }
  | { readonly inSeconds?: never; readonly atSeconds: number };

/** The settings that may change during a session. Options that are left out keep their values. */
export interface PersonaConfigUpdate {
  /** ISO 639-1 code of the language that is recognized. */
  readonly languageCode?: string;
  readonly voiceDetectionOptions?: {
    /** 0…1 */
    readonly endOfSpeechSensitivity?: number;
    /** 0.5…10 */
    readonly silenceBeforeAutoEndTurnSeconds?: number;
    /** 0: off */
    readonly silenceBeforeSkipTurnSeconds?: number;
    /** 0: off */
    readonly silenceBeforeSessionEndSeconds?: number;
    /** 0…1 */
    readonly speechEnhancementLevel?: number;
  };
  /** Depends on the provider of the voice, for example `speed`. */
  readonly voiceGenerationOptions?: Readonly<Record<string, unknown>>;
}

/** The messages that a client sends on the data channel. Times are ISO texts. */
export const clientMessage = {
  speech: (sessionId: string, content: string) => ({
    message_type: 'speech',
    content,
    // Without the zone letter: this is the form that the service knows from all clients.
    timestamp: new Date().toISOString().replace('Z', ''),
    session_id: sessionId,
  }),
  interrupt: (sessionId: string) => ({
    message_type: 'interrupt',
    session_id: sessionId,
    timestamp: new Date().toISOString(),
  }),
  context: (sessionId: string, content: string) => ({ message_type: 'context', session_id: sessionId, content }),
  cue: (tag: DirectorNoteCueTag, { inSeconds, atSeconds }: DirectorNoteCueOptions) => ({
    message_type: 'director_note_cue',
    cue: { tag },
    ...(inSeconds !== undefined && { in_seconds: inSeconds }),
    ...(atSeconds !== undefined && { at_seconds: atSeconds }),
  }),
  configUpdate: (update: PersonaConfigUpdate) => ({ message_type: 'persona_config', data: update }),
  toolResult: (call: ToolCall, outcome: { readonly result?: unknown; readonly error?: string }) => ({
    message_type: 'tool_result',
    session_id: call.sessionId,
    tool_call_id: call.toolCallId,
    user_action_correlation_id: call.userActionCorrelationId,
    timestamp_user_action: call.timestampUserAction,
    ...outcome,
  }),
};
