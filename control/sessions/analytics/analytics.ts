import type { ToolCallRecord, TurnRecord } from '../../../actors/report.ts';
import { secondsOf } from '../../http/seconds.ts';

/** Formulas of the analytics: pure, from the records of a session. All durations in seconds. */

export interface TurnAnalytics {
  readonly turnIndex: number;
  readonly correlationId: string;
  readonly userSpeechStartTime: string | null;
  readonly userSpeechEndTime: string | null;
  readonly userSpeechDurationSeconds: number | null;
  readonly userTranscriptionTime: string | null;
  readonly transcriptionLatencySeconds: number | null;
  readonly llmFirstOutputTime: string | null;
  readonly llmFinalOutputTime: string | null;
  readonly llmTimeToFirstOutputSeconds: number | null;
  readonly llmGenerationDurationSeconds: number | null;
  readonly ttsStartTime: string | null;
  readonly ttsEndTime: string | null;
  readonly ttsGenerationDurationSeconds: number | null;
  readonly ttsTimeToFirstAudioSeconds: number | null;
  readonly personaStartSpeakingTime: string | null;
  readonly personaStopSpeakingTime: string | null;
  readonly firstAudioLatencySeconds: number | null;
  readonly speakingDurationSeconds: number | null;
  readonly finishReason: TurnRecord['finishReason'];
  readonly wasInterrupted: boolean;
  readonly interruptedStage: TurnRecord['interruptedStage'];
  readonly toolCalls: readonly ToolCallAnalytics[];
  readonly providers?: TurnRecord['providers'];
  readonly userMessage?: string | null;
  readonly assistantMessage?: string | null;
}

export interface ToolCallAnalytics {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly toolType: ToolCallRecord['toolType'];
  readonly status: ToolCallRecord['status'];
  readonly startedAt: string;
  readonly completedAt: string | null;
  readonly durationSeconds: number | null;
  readonly errorMessage: string | null;
}

/** @param startMs wall clock of the session's time zero. @param withMessages include what was said. */
export function turnAnalytics(
  turn: TurnRecord,
  calls: readonly ToolCallRecord[],
  startMs: number,
  withMessages: boolean,
): TurnAnalytics {
  const time = (at: number | null): string | null => (at === null ? null : new Date(startMs + at).toISOString());
  const interrupted = turn.finishReason === 'interrupted';
  return {
    turnIndex: turn.turnIndex,
    correlationId: turn.correlationId,
    userSpeechStartTime: time(turn.userSpeechStartedAt),
    userSpeechEndTime: time(turn.userSpeechEndedAt),
    userSpeechDurationSeconds: between(turn.userSpeechStartedAt, turn.userSpeechEndedAt),
    userTranscriptionTime: time(turn.transcribedAt),
    transcriptionLatencySeconds: between(turn.userSpeechEndedAt, turn.transcribedAt),
    llmFirstOutputTime: time(turn.llmFirstOutputAt),
    llmFinalOutputTime: time(turn.llmFinalOutputAt),
    // Typed messages and greetings have no transcript: their times count from the question.
    llmTimeToFirstOutputSeconds: between(turn.transcribedAt ?? turn.llmRequestedAt, turn.llmFirstOutputAt),
    llmGenerationDurationSeconds: between(turn.llmFirstOutputAt, turn.llmFinalOutputAt),
    ttsStartTime: time(turn.synthesisStartedAt),
    ttsEndTime: time(turn.synthesisEndedAt),
    ttsGenerationDurationSeconds: between(turn.synthesisStartedAt, turn.synthesisEndedAt),
    ttsTimeToFirstAudioSeconds: between(turn.synthesisStartedAt, turn.speakingStartedAt),
    personaStartSpeakingTime: time(turn.speakingStartedAt),
    // A turn that was interrupted before its first sound ends, too.
    personaStopSpeakingTime: turn.speakingStartedAt === null ? null : time(turn.speakingEndedAt),
    firstAudioLatencySeconds: between(turn.userSpeechEndedAt, turn.speakingStartedAt),
    speakingDurationSeconds: between(turn.speakingStartedAt, turn.speakingEndedAt),
    finishReason: turn.finishReason,
    wasInterrupted: interrupted,
    interruptedStage: turn.interruptedStage,
    toolCalls: calls
      .filter((call) => call.turnIndex === turn.turnIndex)
      .map((call) => ({
        toolCallId: call.callId,
        toolName: call.toolName,
        toolType: call.toolType,
        status: call.status,
        startedAt: time(call.startedAt)!,
        completedAt: time(call.completedAt),
        durationSeconds: between(call.startedAt, call.completedAt),
        errorMessage: call.errorMessage,
      })),
    ...(turn.providers !== undefined && { providers: turn.providers }),
    ...(withMessages ? { userMessage: turn.userText, assistantMessage: turn.personaText } : {}),
  };
}

/** Events of different clocks may overlap by a few ms; a latency is never negative. */
function between(from: number | null, to: number | null): number | null {
  return from === null || to === null ? null : secondsOf(to - from);
}

export interface ToolCallCounts {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly byName: Readonly<Record<string, number>>;
}

export function countToolCalls(
  calls: readonly { readonly toolName: string; readonly status: ToolCallRecord['status'] }[],
): ToolCallCounts {
  const byName = new Map<string, number>();
  for (const { toolName } of calls) byName.set(toolName, (byName.get(toolName) ?? 0) + 1);
  return {
    total: calls.length,
    succeeded: calls.filter(({ status }) => status === 'completed').length,
    failed: calls.filter(({ status }) => status === 'failed').length,
    byName: Object.fromEntries(byName),
  };
}

export interface Distribution {
  readonly count: number;
  readonly avg: number | null;
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly max: number | null;
}

/** Percentiles by linear interpolation between the nearest ranks. */
export function distribution(values: readonly (number | null)[]): Distribution {
  const sorted = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  if (sorted.length === 0) return { count: 0, avg: null, p50: null, p90: null, p95: null, p99: null, max: null };
  const at = (share: number): number => {
    const position = share * (sorted.length - 1);
    const below = sorted[Math.floor(position)]!;
    return rounded(below + (sorted[Math.ceil(position)]! - below) * (position % 1));
  };
  return {
    count: sorted.length,
    avg: rounded(sorted.reduce((sum, value) => sum + value, 0) / sorted.length),
    p50: at(0.5),
    p90: at(0.9),
    p95: at(0.95),
    p99: at(0.99),
    max: sorted.at(-1)!,
  };
}

export function average(values: readonly (number | null)[]): number | null {
  return distribution(values).avg;
}

/** @returns 0 when there is nothing to divide. */
export function rate(part: number, whole: number): number {
  return whole === 0 ? 0 : rounded(part / whole);
}

export function wordCount(texts: readonly (string | null)[]): number {
  return texts.reduce((sum, text) => sum + (text?.match(/\S+/g)?.length ?? 0), 0);
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
