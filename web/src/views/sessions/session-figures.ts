import type { Analytics, AnalyticsTurn } from '../../api/types.ts';

/** What the record of a session counts and measures. Seconds; null: nothing was measured. */
export interface SessionFigures {
  /** Questions of the user. A greeting and a reminder after silence answer nobody. */
  readonly questions: number;
  readonly interrupted: number;
  readonly heardMedian: number | null;
  readonly heardP95: number | null;
  readonly understoodMedian: number | null;
}

export function sessionFigures({ summary, turns }: Analytics): SessionFigures {
  const asked = turns.filter(isAsked);
  const heard = asked.map((turn) => secondsBetween(turn.userSpeechEndTime, turn.personaStartSpeakingTime));
  const understood = asked.map((turn) => secondsBetween(turn.userSpeechEndTime, turn.userTranscriptionTime));
  return {
    questions: asked.length,
    interrupted: summary.interruptedTurns,
    heardMedian: quantile(heard, 0.5),
    heardP95: quantile(heard, 0.95),
    understoodMedian: quantile(understood, 0.5),
  };
}

function isAsked({ userMessage, userSpeechEndTime, userTranscriptionTime }: AnalyticsTurn): boolean {
  return (userMessage ?? '') !== '' || userSpeechEndTime !== null || userTranscriptionTime !== null;
}

/** Clocks of different parts may differ by some ms. */
function secondsBetween(from: string | null, to: string | null): number | null {
  return from === null || to === null ? null : Math.max(0, Date.parse(to) - Date.parse(from)) / 1000;
}

/** By linear interpolation between the nearest ranks, as the service does it. */
function quantile(values: readonly (number | null)[], share: number): number | null {
  const sorted = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  if (sorted.length === 0) return null;
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)]!;
  return below + (sorted[Math.ceil(position)]! - below) * (position % 1);
}
