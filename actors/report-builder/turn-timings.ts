import type { TurnRecord } from '../report.ts';

/** Collects the record of one turn while it happens. Plain data, never changed in place. */

/** Moments that are noted at most once per turn: the first one stands. */
export type FirstStage =
  | 'userSpeechStartedAt'
  | 'endOfTurnAt'
  | 'transcribedAt'
  | 'llmRequestedAt'
  | 'llmFirstOutputAt'
  | 'synthesisStartedAt'
  | 'synthesisFirstAudioAt'
  | 'speakingStartedAt';
/** Moments that may come again (a user who resumes, a second answer after a tool): the last one stands. */
export type LastStage = 'userSpeechEndedAt' | 'llmFinalOutputAt' | 'synthesisEndedAt' | 'speakingEndedAt';

/** @param turnIndex 0 for the greeting. */
export function openTurn(turnIndex: number, correlationId: string): TurnRecord {
  return {
    turnIndex,
    correlationId,
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
}

const LAST_STAGES: ReadonlySet<string> = new Set<LastStage>([
  'userSpeechEndedAt',
  'llmFinalOutputAt',
  'synthesisEndedAt',
  'speakingEndedAt',
]);

/** @param at ms on the session's clock. */
export function mark(turn: TurnRecord, stage: FirstStage | LastStage, at: number): TurnRecord {
  return turn[stage] !== null && !LAST_STAGES.has(stage) ? turn : { ...turn, [stage]: at };
}

/**
 * The user went on after the turn seemed over, before anything was heard: what had been decided and asked was for
 * nothing, and the latencies count from the true end.
 */
export function reopen(turn: TurnRecord): TurnRecord {
  return { ...openTurn(turn.turnIndex, turn.correlationId), userSpeechStartedAt: turn.userSpeechStartedAt };
}

export function addToolCall(turn: TurnRecord, callId: string): TurnRecord {
  return turn.toolCallIds.includes(callId) ? turn : { ...turn, toolCallIds: [...turn.toolCallIds, callId] };
}

export function closeTurn(
  turn: TurnRecord,
  outcome: { readonly interrupted: boolean; readonly userText: string | null; readonly personaText: string | null },
): TurnRecord {
  return {
    ...turn,
    finishReason: outcome.interrupted ? 'interrupted' : 'completed',
    interruptedStage: outcome.interrupted ? interruptedStage(turn) : null,
    userText: outcome.userText,
    personaText: outcome.personaText,
  };
}

/** How far the reply had come when it was cut. */
function interruptedStage(turn: TurnRecord): TurnRecord['interruptedStage'] {
  if (turn.speakingStartedAt !== null) return 'while_speaking';
  if (turn.llmFinalOutputAt !== null) return 'before_audio';
  if (turn.llmFirstOutputAt !== null) return 'during_llm_generation';
  // Speech without an LLM (talk streams, a fixed greeting) is past its making once synthesis began.
  return turn.llmRequestedAt === null && turn.synthesisStartedAt !== null ? 'before_audio' : 'before_llm_output';
}
