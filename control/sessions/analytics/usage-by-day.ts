import type { TurnRecord } from '../../../actors/report.ts';
import type { Cost } from '../../costs/cost-of-session.ts';
import { spentOn } from '../../costs/cost-schema.ts';
import { distribution, turnAnalytics } from './analytics.ts';
import type { Usage, UsageDay } from './usage-schema.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** More than anybody reads. */
const MAX_PERSONAS = 100;

export interface UsedSession {
  readonly id: string;
  /** ms since the epoch. */
  readonly startedAt: number;
  /** Null while it runs. */
  readonly endedAt: number | null;
  readonly failed: boolean;
  readonly personaId: string | null;
  readonly personaName: string;
  /** Null: not known. */
  readonly cost: Cost | null;
}

export interface Period {
  readonly days: number;
  readonly utcOffsetMinutes: number;
  /** ms since the epoch. */
  readonly now: number;
}

/** @returns when the first day of the period began, ms since the epoch. */
export function periodStart({ days, utcOffsetMinutes, now }: Period): number {
  const offset = utcOffsetMinutes * MINUTE_MS;
  return Math.floor((now + offset) / DAY_MS) * DAY_MS - offset - (days - 1) * DAY_MS;
}

/** @param turns of these sessions; sessions may have none. */
export function usageByDay(
  sessions: readonly UsedSession[],
  turns: readonly { readonly sessionId: string; readonly turn: TurnRecord }[],
  period: Period,
): Omit<Usage, 'truncated'> {
  const start = periodStart(period);
  const dayOf = (at: number): number => Math.min(period.days - 1, Math.max(0, Math.floor((at - start) / DAY_MS)));
  const bySession = new Map<string, TurnRecord[]>();
  for (const { sessionId, turn } of turns) {
    const known = bySession.get(sessionId);
    if (known === undefined) bySession.set(sessionId, [turn]);
    else known.push(turn);
  }
  const perDay: UsedSession[][] = Array.from({ length: period.days }, () => []);
  for (const session of sessions) perDay[dayOf(session.startedAt)]!.push(session);
  return {
    days: perDay.map((of, day) => ({
      date: new Date(start + day * DAY_MS + period.utcOffsetMinutes * MINUTE_MS).toISOString().slice(0, 10),
      ...usageOf(of, bySession, period.now),
    })),
    total: usageOf(sessions, bySession, period.now),
    personas: usageByPersona(sessions, period.now),
  };
}

/** Those that talked most come first. */
function usageByPersona(sessions: readonly UsedSession[], now: number): Usage['personas'] {
  return [...Map.groupBy(sessions, ({ personaId }) => personaId)]
    .map(([personaId, of]) => ({
      personaId,
      name: personaId === null ? null : of.at(-1)!.personaName,
      sessions: of.length,
      minutes: minutesOf(of, now),
      costs: spentOn(of.map(({ cost }) => cost)),
    }))
    .toSorted((one, other) => other.minutes - one.minutes)
    .slice(0, MAX_PERSONAS);
}

function minutesOf(sessions: readonly UsedSession[], now: number): number {
  const lengthMs = sessions.reduce((sum, { startedAt, endedAt }) => sum + Math.max(0, (endedAt ?? now) - startedAt), 0);
  return Math.round((lengthMs / MINUTE_MS) * 100) / 100;
}

function usageOf(
  sessions: readonly UsedSession[],
  bySession: ReadonlyMap<string, readonly TurnRecord[]>,
  now: number,
): Omit<UsageDay, 'date'> {
  const turns = sessions.flatMap(({ id, startedAt }) =>
    (bySession.get(id) ?? []).map((turn) => turnAnalytics(turn, [], startedAt, false)),
  );
  return {
    sessions: sessions.length,
    failedSessions: sessions.filter(({ failed }) => failed).length,
    minutes: minutesOf(sessions, now),
    costs: spentOn(sessions.map(({ cost }) => cost)),
    turns: turns.length,
    interruptedTurns: turns.filter(({ wasInterrupted }) => wasInterrupted).length,
    firstAudioLatencySeconds: percentilesOf(turns.map((turn) => turn.firstAudioLatencySeconds)),
    llmTimeToFirstOutputSeconds: percentilesOf(turns.map((turn) => turn.llmTimeToFirstOutputSeconds)),
  };
}

/** @param values null: not known. */
export function percentilesOf(values: readonly (number | null)[]) {
  const { count, p50, p95 } = distribution(values);
  return { count, p50, p95 };
}
