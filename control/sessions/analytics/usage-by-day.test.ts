import { expect, it } from 'vitest';
import { turn } from '../records/testing/records.ts';
import { periodStart, usageByDay } from './usage-by-day.ts';

const at = (text: string): number => Date.parse(text);
const period = { days: 3, utcOffsetMinutes: 120, now: at('2026-03-10T21:59:00Z') };
const session = (id: string, start: string, end: string | null, failed = false) => ({
  id,
  startedAt: at(start),
  endedAt: end === null ? null : at(end),
  failed,
  personaId: 'p',
  personaName: 'Ada',
  cost: null,
});

it('begins a day at midnight of the caller', () => {
  expect(new Date(periodStart(period)).toISOString()).toBe('2026-03-07T22:00:00.000Z');
});

it('counts a session on the day on which it began, and a running one until now', () => {
  const { days, total } = usageByDay(
    [
      session('late', '2026-03-08T21:30:00Z', '2026-03-08T22:30:00Z'),
      session('early', '2026-03-08T22:00:00Z', '2026-03-08T22:06:00Z', true),
      session('now', '2026-03-10T21:57:00Z', null),
    ],
    [],
    period,
  );
  expect(days.map(({ date, sessions, minutes, failedSessions }) => [date, sessions, minutes, failedSessions])).toEqual([
    ['2026-03-08', 1, 60, 0],
    ['2026-03-09', 1, 6, 1],
    ['2026-03-10', 1, 2, 0],
  ]);
  expect(total).toMatchObject({ sessions: 3, minutes: 68, failedSessions: 1, turns: 0 });
  expect(total.firstAudioLatencySeconds).toEqual({ count: 0, p50: null, p95: null });
});

it('tells how soon the turns of a day were answered', () => {
  const answeredAfter = (ms: number, finishReason: 'completed' | 'interrupted' = 'completed') => ({
    sessionId: 's',
    turn: turn({ userSpeechEndedAt: 1000, speakingStartedAt: 1000 + ms, finishReason }),
  });
  const { days } = usageByDay(
    [session('s', '2026-03-10T10:00:00Z', '2026-03-10T10:01:00Z')],
    [answeredAfter(500), answeredAfter(700), answeredAfter(900, 'interrupted')],
    period,
  );
  expect(days[2]).toMatchObject({
    turns: 3,
    interruptedTurns: 1,
    firstAudioLatencySeconds: { count: 3, p50: 0.7, p95: 0.88 },
  });
});
