import { describe, expect, it } from 'vitest';
import { inOrder, inviteState, reasonText } from './invite-wording.ts';
import type { MeetingInvite } from './meeting-api.ts';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const LATER = '2026-03-01T11:00:00.000Z';
const NEW = { status: 'pending', joinState: null, joinAt: null, statusReason: null } as const;

describe('the label of an invite', () => {
  it.each([
    [{ joinAt: LATER }, 'Planned', false],
    [{}, 'About to join', false],
    [{ joinState: 'joining' }, 'Joining', true],
    [{ joinState: 'waiting_room' }, 'Waiting to be let in', true],
    [{ statusReason: 'meeting_not_started' }, 'Trying again', false],
    [{ status: 'active', joinState: 'media_active' }, 'In the meeting', true],
    [{ status: 'active', joinState: 'media_granted' }, 'In the meeting, not heard', true],
    [{ status: 'active', joinState: 'media_denied' }, 'Without camera and microphone', true],
    [{ status: 'active', joinState: 'joining' }, 'Going back', true],
    [{ status: 'active', statusReason: 'provider_error' }, 'Trying again', false],
    [{ status: 'ended', joinState: 'left', statusReason: 'meeting_ended' }, 'Over', false],
    [{ status: 'cancelled' }, 'Cancelled', false],
    [{ status: 'failed', joinState: 'error', statusReason: 'join_denied' }, 'Failed', false],
  ] as const)('%j is "%s"', (change, text, isThere) =>
    expect(inviteState({ ...NEW, ...change }, NOW)).toMatchObject({ text, isThere }),
  );
});

it('the reason is what the service says, or what its word means', () => {
  expect(reasonText({ statusReason: 'join_denied', statusMessage: 'Grace said no.' })).toBe('Grace said no.');
  expect(reasonText({ statusReason: 'join_denied', statusMessage: null })).toBe('The host did not let the persona in.');
  expect(reasonText({ statusReason: null, statusMessage: null })).toBeNull();
});

it('what comes next stands first, and what is over below, the newest first', () => {
  const invite = (id: string, status: string, createdAt: string, joinAt: string | null = null) =>
    ({ id, status, createdAt, joinAt }) as MeetingInvite;
  const invites = [
    invite('tomorrow', 'pending', '2026-03-01T08:00:00Z', '2026-03-02T10:00:00Z'),
    invite('old', 'ended', '2026-02-01T08:00:00Z'),
    invite('now', 'active', '2026-03-01T09:59:00Z'),
    invite('new', 'failed', '2026-03-01T09:00:00Z'),
  ];
  expect(inOrder(invites).map(({ id }) => id)).toEqual(['now', 'tomorrow', 'new', 'old']);
});
