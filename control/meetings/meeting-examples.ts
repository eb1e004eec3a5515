import type { z } from 'zod';
import { metaOf } from '../http/paging.ts';
import type { Examples } from '../resource.ts';
import { meetingErrors } from './meeting-errors.ts';
import type { inviteResponse } from './meeting-schema.ts';

const invite: z.infer<typeof inviteResponse> = {
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
};

export const meetingExamples: Examples = {
  'GET /v1/meetings/invites': { answer: { data: [invite], meta: metaOf({ page: 1, perPage: 10 }, 1) } },
  'POST /v1/meetings/invites': {
    answer: invite,
    refusals: [meetingErrors.meetingRejected, meetingErrors.meetingServiceDown, meetingErrors.meetingsDisabled],
  },
  'GET /v1/meetings/invites/{id}': { answer: { ...invite, status: 'cancelled' } },
  'DELETE /v1/meetings/invites/{id}': { refusals: [meetingErrors.meetingServiceDown] },
};
