import type { TurnRecord } from '../../actors/report.ts';

/** One part of a turn, ms on the session's clock. */
export interface TurnStage {
  readonly name: StageName;
  readonly from: number;
  readonly to: number;
}

/** In the order of a turn; what is between is explained in the operations guide. */
export const STAGES = {
  user_speech: ['userSpeechStartedAt', 'userSpeechEndedAt'],
  end_of_turn: ['userSpeechEndedAt', 'endOfTurnAt'],
  stt_final: ['userSpeechEndedAt', 'transcribedAt'],
  llm_first_output: ['llmRequestedAt', 'llmFirstOutputAt'],
  llm: ['llmRequestedAt', 'llmFinalOutputAt'],
  tts_first_audio: ['synthesisStartedAt', 'synthesisFirstAudioAt'],
  tts: ['synthesisStartedAt', 'synthesisEndedAt'],
  first_audio: ['userSpeechEndedAt', 'speakingStartedAt'],
  persona_speech: ['speakingStartedAt', 'speakingEndedAt'],
} as const satisfies Readonly<Record<string, readonly [keyof TurnRecord, keyof TurnRecord]>>;
export type StageName = keyof typeof STAGES;

/** @returns the stages that the turn had. One that ended before it began (a preemptive request) takes no time. */
export function stagesOf(turn: TurnRecord): TurnStage[] {
  return (Object.keys(STAGES) as StageName[]).flatMap((name) => {
    const [begin, end] = STAGES[name];
    const from = turn[begin];
    const to = turn[end];
    return from === null || to === null ? [] : [{ name, from, to: Math.max(from, to) }];
  });
}
