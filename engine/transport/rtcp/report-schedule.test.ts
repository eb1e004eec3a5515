import { expect, it } from 'vitest';
import { FIRST_REPORTS_EVERY_MS, ReportSchedule } from './report-schedule.ts';

/** @returns when reports leave. */
function reports(schedule: ReportSchedule, from: number, until: number): number[] {
  const times: number[] = [];
  for (let now = from; now < until; now += FIRST_REPORTS_EVERY_MS) {
    if (!schedule.due(now)) continue;
    schedule.sent(now);
    times.push(now);
  }
  return times;
}

it('reports come quickly at first, then once a second', () => {
  expect(reports(new ReportSchedule(), 0, 3_000)).toEqual([0, 200, 400, 600, 1_600, 2_600]);
});

it('a receiver that knows nothing yet is told quickly again', () => {
  const schedule = new ReportSchedule();
  reports(schedule, 0, 5_000);
  schedule.restart();
  expect(reports(schedule, 5_000, 7_000)).toEqual([5_000, 5_200, 5_400, 5_600, 6_600]);
});
