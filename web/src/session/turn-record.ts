import type { TurnRecord } from '../../../control/sessions/records/turn-schema.ts';

export type { TurnRecord };

/** A turn in which nothing has happened yet. Times are ms on the session's clock. */
export const EMPTY_TURN: Omit<TurnRecord, 'turnIndex' | 'correlationId'> = {
  userSpeechStartedAt: null,
  userSpeechEndedAt: null,
  endOfTurnAt: null,
  transcribedAt: null,
  llmRequestedAt: null,
  llmFirstOutputAt: null,
  llmFinalOutputAt: null,
  synthesisStartedAt: null,
  synthesisFirstAudioAt: null,
  synthesisEndedAt: null,
  speakingStartedAt: null,
  speakingEndedAt: null,
  finishReason: null,
  interruptedStage: null,
  userText: null,
  personaText: null,
  toolCallIds: [],
};
