import type { TurnRecord } from './turn-record.ts';
import { waterfallOf } from './waterfall.ts';

/** How long each answer took, in ms, in the order of the conversation. Turns without an answer are left out. */
export function answerTimes(turns: readonly TurnRecord[]): readonly number[] {
  return turns.flatMap((turn) => {
    const waterfall = turn.userSpeechEndedAt === null ? null : waterfallOf(turn);
    return waterfall === null ? [] : [waterfall.totalMs];
  });
}

/** By linear interpolation between the nearest ranks, as the API does. @param part 0…1. @returns null without values. */
export function percentile(values: readonly number[], part: number): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const rank = part * (sorted.length - 1);
  const below = sorted[Math.floor(rank)]!;
  return below + (sorted[Math.ceil(rank)]! - below) * (rank - Math.floor(rank));
}
