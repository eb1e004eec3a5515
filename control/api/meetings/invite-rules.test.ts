import { describe, expect, it } from 'vitest';
import type { MeetingEndReason } from '../../ports.ts';
import { isInside, nextTry, retryAt, sessionEndAfter, timingOf, visitFailed, whenDue } from './invite-rules.ts';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const MINUTE = 60_000;

describe('an invite', () => {
  it('is due at its time, or at once, and is tried for a quarter of an hour', () => {
    expect(timingOf(null, NOW)).toEqual({ dueAt: NOW, joinBy: NOW + 15 * MINUTE, reserved: false });
    expect(timingOf(NOW + 5 * MINUTE, NOW)).toMatchObject({ dueAt: NOW + 5 * MINUTE, joinBy: NOW + 20 * MINUTE });
  });

  it('has a place of its own from ten minutes ahead', () => {
    expect(timingOf(NOW + 10 * MINUTE, NOW).reserved).toBe(true);
    expect(timingOf(NOW + 10 * MINUTE - 1, NOW).reserved).toBe(false);
  });

  it('whose process ended on the way to the meeting is tried again in time, and counted', () => {
    const onTheWay = { inside: false, joinBy: NOW + 15 * MINUTE, attempts: 1 };
    expect(whenDue(onTheWay, NOW, NOW + 15 * MINUTE)).toEqual({
      kind: 'join',
      joinBy: NOW + 15 * MINUTE,
      attempts: 2,
    });
    expect(whenDue(onTheWay, NOW, NOW + 15 * MINUTE + 1)).toMatchObject({ kind: 'fail', reason: 'provider_error' });
  });

  it('whose process ended in the meeting goes back within five minutes', () => {
    const inside = { inside: true, joinBy: NOW - 1000 * MINUTE, attempts: 2 };
    expect(whenDue(inside, NOW, NOW + 5 * MINUTE)).toEqual({ kind: 'join', joinBy: NOW + 5 * MINUTE, attempts: 1 });
    expect(whenDue(inside, NOW, NOW + 5 * MINUTE + 1)).toMatchObject({
      kind: 'fail',
      message: 'The service stopped during the meeting.',
    });
  });

  it.each([
    ['active', 'in_call', true],
    ['active', 'media_active', true],
    // On its way back.
    ['active', 'joining', false],
    ['active', null, false],
    ['pending', 'in_call', false],
  ])('that is %s and %s was in the meeting: %s', (status, join_state, inside) =>
    expect(isInside({ status, join_state })).toBe(inside),
  );
});

describe('a join that fails', () => {
  const joinBy = NOW + 15 * MINUTE;

  it.each<[MeetingEndReason | null, boolean]>([
    ['meeting_not_started', true],
    ['provider_error', true],
    [null, true],
    ['join_denied', false],
    ['not_admitted', false],
    ['meeting_link_invalid', false],
    ['removed_by_host', false],
    ['meeting_ended', false],
  ])('for the reason %s is tried again: %s', (reason, again) =>
    expect(retryAt({ reason, attempts: 1, joinBy }, NOW) !== null).toBe(again),
  );

  it('waits longer each time, up to a minute', () => {
    const pauses = [1, 2, 3, 4, 5, 30].map((attempts) => nextTry({ attempts, joinBy }, NOW)! - NOW);
    expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  it('is given up when the next try would be too late', () => {
    expect(retryAt({ reason: 'meeting_not_started', attempts: 9, joinBy }, joinBy - MINUTE)).toBe(joinBy);
    expect(retryAt({ reason: 'meeting_not_started', attempts: 9, joinBy }, joinBy - MINUTE + 1)).toBeNull();
  });

  it('three times without a name for it is given up: each try costs a browser', () => {
    expect(retryAt({ reason: 'provider_error', attempts: 2, joinBy }, NOW)).not.toBeNull();
    expect(retryAt({ reason: 'provider_error', attempts: 3, joinBy }, NOW)).toBeNull();
  });
});

describe('the end of a visit', () => {
  it.each([
    ['left', 'meeting_ended', 'meeting_ended'],
    ['left', 'removed_by_host', 'meeting_ended'],
    ['done', 'idle_timeout', 'user_inactivity'],
    ['done', 'left_call', 'max_session_length'],
    ['error', 'provider_error', 'connection_lost'],
  ] as const)('%s, %s ends the session with %s', (state, reason, end) =>
    expect(sessionEndAfter(state, reason)).toBe(end),
  );

  it('is a failure when its connection broke, or that of its session', () => {
    expect(visitFailed('left', 'end_call')).toBe(false);
    expect(visitFailed('left', null)).toBe(false);
    expect(visitFailed('error', 'connection_lost')).toBe(true);
    expect(visitFailed('left', 'never_connected')).toBe(true);
  });
});
