import type { ToolCallRecord, TurnRecord } from '../../../../actors/report.ts';

/** A turn in which the persona answered. Times are milliseconds since the session began. */
export const turn = (over: Partial<TurnRecord> = {}): TurnRecord => ({
  turnIndex: 1,
  correlationId: 'c1',
  userSpeechStartedAt: 1000,
  userSpeechEndedAt: 2000,
  endOfTurnAt: 2500,
  transcribedAt: 2600,
  llmRequestedAt: 2610,
  llmFirstOutputAt: 2900,
  llmFinalOutputAt: 3400,
  synthesisStartedAt: 2950,
  synthesisFirstAudioAt: 3000,
  synthesisEndedAt: 3500,
  speakingStartedAt: 3050,
  speakingEndedAt: 5050,
  finishReason: 'completed',
  interruptedStage: null,
  userText: 'what are your hours',
  personaText: 'We open at nine.',
  toolCallIds: [],
  ...over,
});

/** A webhook call with secrets in its arguments and its result. */
export const call = (over: Partial<ToolCallRecord> = {}): ToolCallRecord => ({
  turnIndex: 1,
  correlationId: 'c1',
  callId: 'fc_1',
  toolName: 'book',
  toolType: 'server',
  toolSubtype: 'webhook',
  status: 'completed',
  startedAt: 2700,
  completedAt: 2800,
  errorMessage: null,
  arguments: { table: 4, api_key: 'k-99' },
  result: '{"ok":true,"token":"t-77"}',
  documentsAccessed: null,
  ...over,
});
