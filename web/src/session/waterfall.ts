import type { TurnRecord } from './turn-record.ts';

export type Stage = 'end-of-turn' | 'transcript' | 'llm' | 'sentence' | 'tools' | 'voice' | 'on-its-way';

export interface Bar {
  readonly stage: Stage;
  /** Ms from the beginning of the waterfall. */
  readonly from: number;
  readonly to: number;
}

export interface Waterfall {
  readonly bars: readonly Bar[];
  /** From the end of the user's speech (for a greeting: from the question to the LLM) to the persona's first audio. */
  readonly totalMs: number;
}

export const STAGE_NAMES: Readonly<Record<Stage, string>> = {
  'end-of-turn': 'End of turn',
  transcript: 'Transcript',
  llm: 'LLM, first output',
  sentence: 'LLM, first sentence',
  tools: 'Tools, and the LLM after them',
  voice: 'TTS, first audio',
  'on-its-way': 'To your ear',
};

/** Stages in their usual order; each ends when the named thing happened. An LLM's first output may be a tool call. */
const endsOf = ({ toolCallIds }: TurnRecord): readonly (readonly [Stage, keyof TurnRecord])[] => [
  ['end-of-turn', 'endOfTurnAt'],
  ['transcript', 'transcribedAt'],
  ['llm', 'llmFirstOutputAt'],
  [toolCallIds.length > 0 ? 'tools' : 'sentence', 'synthesisStartedAt'],
  ['voice', 'synthesisFirstAudioAt'],
  ['on-its-way', 'speakingStartedAt'],
];

/**
 * Shows what took the time between the user's last sound and the persona's first one. Each moment belongs to one stage:
 * a stage begins where the one before it ended. A stage that was over before that (a transcript that was ready early)
 * gets no bar. Null until the persona speaks.
 */
export function waterfallOf(turn: TurnRecord): Waterfall | null {
  const start = turn.userSpeechEndedAt ?? turn.llmRequestedAt ?? turn.synthesisStartedAt;
  if (start === null || turn.speakingStartedAt === null || turn.speakingStartedAt < start) return null;
  const totalMs = turn.speakingStartedAt - start;
  const bars: Bar[] = [];
  let from = 0;
  for (const [stage, field] of endsOf(turn)) {
    const at = turn[field];
    if (typeof at !== 'number') continue;
    const to = Math.min(at - start, totalMs);
    if (to <= from) continue;
    bars.push({ stage, from, to });
    from = to;
  }
  return { bars, totalMs };
}

/** 840 → "840 ms", 1240 → "1.24 s". */
export function milliseconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}
