import type { Refusals } from '../../errors/http-error.ts';

/** What only meeting invites are refused for. */
export const meetingErrors = {
  meetingUrl: [
    400,
    'Only Google Meet, Zoom, and Microsoft Teams URLs are supported',
    'meetingUrl is not the address of a meeting that this service can join; GET /v1/meetings/providers lists whose it can.',
  ],
  meetingLink: [400, 'This link leads to no meeting', 'Paste the link to join, as it stands in the invitation.'],
  joinAtPast: [400, 'joinAt must be in the future', 'Leave joinAt out to join at once.'],
  pictureNotFound: [404, 'Not found', 'The persona is not in this meeting, or sees nothing yet.'],
  meetingRejected: [422, 'Meeting request was rejected', 'The service may not reach this meeting.'],
  meetingInviteFailed: [500, 'Failed to process meeting invite', 'Something went wrong on our side.'],
  meetingsDisabled: [
    503,
    'Meeting invites are not enabled for this organization',
    'This deployment has no Chromium to join meetings with. Its operator can install the package "chromium" and start the service again: bash scripts/start.sh --meetings',
  ],
  meetingsFull: [
    503,
    'Meeting service is at capacity, please try again shortly',
    'Every place is taken, or kept free for a meeting that was scheduled before.',
  ],
} as const satisfies Refusals;
