/** What the service tells of one tool call. */
export interface ToolCall {
  readonly eventUid: string;
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly toolType: 'client' | 'server' | 'system';
  readonly toolSubtype?: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** ISO time. */
  readonly timestamp: string;
  /** ISO time of the user's action that led to the call. */
  readonly timestampUserAction: string;
  readonly userActionCorrelationId: string;
  readonly result?: unknown;
  readonly documentsAccessed?: readonly string[];
  readonly errorMessage?: string;
}

export type ToolCallStartedPayload = Omit<ToolCall, 'result' | 'documentsAccessed' | 'errorMessage'>;

export interface ToolCallCompletedPayload extends ToolCallStartedPayload {
  readonly result: unknown;
  /** Names of the files that a knowledge tool has found something in. */
  readonly documentsAccessed?: readonly string[];
  /** ms */
  readonly executionTime: number;
}

export interface ToolCallFailedPayload extends ToolCallStartedPayload {
  readonly errorMessage: string;
  /** ms */
  readonly executionTime: number;
}

export interface ToolCallHandler {
  /**
   * For a tool of the type `client`, what it returns or resolves to is the result that the LLM gets: any JSON value. An
   * error that it throws is told to the LLM. For other tools the value is ignored.
   */
  readonly onStart?: (call: ToolCallStartedPayload) => unknown;
  readonly onComplete?: (call: ToolCallCompletedPayload) => unknown;
  readonly onFail?: (call: ToolCallFailedPayload) => unknown;
}
