/** When the stages of a turn happened, in ms on the session's clock; null: it did not, or is not known. */
export interface TurnRecord {
  readonly turnIndex: number;
  readonly correlationId: string;
  readonly userSpeechStartedAt: number | null;
  readonly userSpeechEndedAt: number | null;
  readonly endOfTurnAt: number | null;
  readonly transcribedAt: number | null;
  readonly llmRequestedAt: number | null;
  readonly llmFirstOutputAt: number | null;
  readonly synthesisStartedAt: number | null;
  readonly synthesisFirstAudioAt: number | null;
  readonly speakingStartedAt: number | null;
  readonly speakingEndedAt: number | null;
  readonly finishReason: 'completed' | 'interrupted' | null;
  readonly userText: string | null;
  readonly personaText: string | null;
}

export const EMPTY_TURN: Omit<TurnRecord, 'turnIndex' | 'correlationId'> = {
  userSpeechStartedAt: null,
  userSpeechEndedAt: null,
  endOfTurnAt: null,
  transcribedAt: null,
  llmRequestedAt: null,
  llmFirstOutputAt: null,
  synthesisStartedAt: null,
  synthesisFirstAudioAt: null,
  speakingStartedAt: null,
  speakingEndedAt: null,
  finishReason: null,
  userText: null,
  personaText: null,
};
