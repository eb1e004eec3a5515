import type { Refusals } from '../errors.ts';

/** What only meeting invites are refused for. */
export const meetingErrors = {
  meetingUrl: [
    400,
    'Only Google Meet, Zoom, and Microsoft Teams URLs are supported',
    'meetingUrl is not the address of such a meeting.',
  ],
  joinAtPast: [400, 'joinAt must be in the future', 'Leave joinAt out to join at once.'],
  meetingRejected: [422, 'Meeting request was rejected', 'The meeting service refused this meeting.'],
  meetingInviteFailed: [500, 'Failed to process meeting invite', 'Something went wrong on our side.'],
  meetingServiceDown: [502, 'Meeting service is unavailable', 'The meeting service did not answer.'],
  meetingsDisabled: [
    503,
    'Meeting invites are not enabled for this organization',
    'This deployment has no meeting connector.',
  ],
  meetingsFull: [503, 'Meeting service is at capacity, please try again shortly', 'Every meeting slot is taken.'],
} as const satisfies Refusals;
