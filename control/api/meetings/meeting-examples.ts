import { metaOf } from '../../http/paging.ts';
import type { Examples } from '../../http/resource.ts';
import { sessionErrors } from '../../errors/session-errors.ts';
import { meetingErrors } from './meeting-errors.ts';
import type { MeetingInvite, MeetingProviders } from './meeting-schema.ts';

const invite: MeetingInvite = {
  id: 'f59d9777-c362-4659-b43b-1d7864005902',
  provider: 'google_meet',
  meetingUrl: 'https://meet.google.com/abc-defg-hij',
  displayName: 'Guide (AI)',
  status: 'pending',
  createdAt: '2026-11-21T00:52:35.698Z',
  joinAt: '2026-11-21T01:52:35.698Z',
  groupCall: true,
  sessionId: null,
  region: 'eu',
  joinState: null,
  statusReason: null,
  statusMessage: null,
};

export const meetingExamples: Examples = {
  'GET /v1/meetings/providers': {
    answer: {
      enabled: true,
      message: null,
      data: [
        {
          id: 'google_meet',
          name: 'Google Meet',
          tried: 'never',
          note: 'Written from the public documentation.',
          conditions: ['Guests may ask to join.'],
        },
      ],
    } satisfies MeetingProviders,
  },
  'GET /v1/meetings/invites': { answer: { data: [invite], meta: metaOf({ page: 1, perPage: 10 }, 1) } },
  'POST /v1/meetings/invites': {
    answer: invite,
    refusals: [
      meetingErrors.meetingUrl,
      meetingErrors.meetingRejected,
      meetingErrors.meetingInviteFailed,
      meetingErrors.meetingsDisabled,
    ],
  },
  'GET /v1/meetings/invites/{id}': {
    answer: {
      ...invite,
      status: 'failed',
      joinState: 'error',
      statusReason: 'join_denied',
      statusMessage: 'The host did not let the persona in.',
    },
  },
  'GET /v1/meetings/invites/{id}/picture': { refusals: [meetingErrors.pictureNotFound, sessionErrors.noEngines] },
};
