/** What the server writes on the data channel: `{ messageType, data }`, keys of `data` in snake_case. */
export type ServerMessage =
  | { readonly messageType: 'speechText'; readonly data: SpeechText }
  | { readonly messageType: 'reasoningText'; readonly data: ReasoningText }
  | { readonly messageType: 'userSpeechStarted' | 'userSpeechEnded'; readonly data: UserSpeechMark }
  | { readonly messageType: 'toolCallStarted'; readonly data: ToolCallEvent }
  | {
      readonly messageType: 'toolCallCompleted';
      readonly data: ToolCallEvent & { readonly result: unknown; readonly documents_accessed?: readonly string[] };
    }
  | { readonly messageType: 'toolCallFailed'; readonly data: ToolCallEvent & { readonly error_message: string } }
  | {
      readonly messageType: 'personaConfigUpdateApplied';
      readonly data: {
        readonly session_id: string;
        readonly changed_fields: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>;
      };
    }
  | {
      readonly messageType: 'directorNoteCueApplied';
      readonly data: {
        readonly session_id: string;
        readonly user_action_correlation_id: string;
        readonly timestamp_user_action: string;
        readonly cue_tag: string;
      };
    };

/** One chunk of a message; clients concatenate the contents of one `message_id` without separators. */
export interface SpeechText {
  readonly message_id: string;
  readonly content_index: number;
  readonly content: string;
  readonly role: 'user' | 'persona';
  readonly end_of_speech: boolean;
  readonly interrupted: boolean;
  readonly user_action_correlation_id: string;
  readonly timestamp: string;
  /** Only for speech from a talk stream; same value as `user_action_correlation_id`. */
  readonly correlationId?: string;
  readonly utterance_id?: string;
  readonly cue_tag?: string;
}

export interface ReasoningText {
  readonly message_id: string;
  readonly content_index: number;
  readonly content: string;
  readonly role: 'persona';
  readonly end_of_thought: boolean;
}

export interface UserSpeechMark {
  readonly user_action_correlation_id: string;
  readonly session_id: string;
  readonly timestamp: string;
}

export interface ToolCallEvent {
  readonly event_uid: string;
  readonly session_id: string;
  readonly tool_call_id: string;
  readonly tool_name: string;
  readonly tool_type: 'client' | 'server' | 'system';
  readonly tool_subtype: 'rag' | 'webhook' | null;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly timestamp: string;
  readonly timestamp_user_action: string;
  readonly user_action_correlation_id: string;
  readonly used_outside_engine: true;
}
