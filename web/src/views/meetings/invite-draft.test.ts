import { expect, it } from 'vitest';
import { type InviteDraft, localTime, orderOf } from './invite-draft.ts';

const DRAFT: InviteDraft = {
  link: ' https://meet.example.com/abc ',
  personaId: 'p',
  displayName: ' ',
  groupCall: true,
  when: 'now',
  time: '2026-03-01T10:30',
};

it('an invite for now has no time, and no name unless one was entered', () => {
  expect(orderOf(DRAFT)).toEqual({ meetingUrl: 'https://meet.example.com/abc', personaId: 'p', groupCall: true });
  expect(orderOf({ ...DRAFT, displayName: ' Ada ' })).toMatchObject({ displayName: 'Ada' });
});

it('the time of a later one is that of this browser', () => {
  const { joinAt } = orderOf({ ...DRAFT, when: 'later' });
  expect(joinAt).toBe(new Date(2026, 2, 1, 10, 30).toISOString());
  expect(localTime(Date.parse(joinAt!))).toBe('2026-03-01T10:30');
});
