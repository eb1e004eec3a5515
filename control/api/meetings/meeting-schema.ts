import { z } from 'zod';
import { pageQuery } from '../../http/paging.ts';
import { jsonObject, timestamp, uuid } from '../../http/schemas.ts';

const INVITE_STATUSES = ['pending', 'active', 'ended', 'cancelled', 'failed'] as const;
const INVITE_REGIONS = ['eu', 'us-east', 'us-west'] as const;
const PROVIDERS = ['google_meet', 'zoom', 'microsoft_teams', 'jitsi', 'janus'] as const;

/** Of the API document: a field that must not be there. */
const ABSENT = { not: {} };

export const createInvite = z
  .object({
    meetingUrl: z
      .string()
      .min(1)
      .max(20_000)
      .describe(
        'The link of the meeting, or the invitation with it. `GET /v1/meetings/providers` lists whose meetings can be joined.',
      ),
    displayName: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .describe('Default: the persona’s name. " (AI)" is appended.'),
    region: z.enum(INVITE_REGIONS).optional(),
    regionPolicy: z.enum(['preferred', 'strict']).optional(),
    joinAt: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('With a time zone; at most 7 days ahead. At least 10 minutes ahead: a place is reserved. Absent: now.'),
    groupCall: z.boolean().default(true).describe('True: joins silently and answers only when addressed by name.'),
    personaId: z.string().min(1).max(128).optional(),
    personaConfig: jsonObject.optional(),
    sessionOptions: z
      .object({ sessionReplay: z.object({ enableSessionReplay: z.boolean() }).partial() })
      .partial()
      .optional(),
    clientLabel: z.string().max(128).optional(),
  })
  .meta({
    id: 'CreateMeetingInvite',
    allOf: [
      {
        anyOf: [
          { required: ['personaId'], properties: { personaConfig: ABSENT } },
          { required: ['personaConfig'], properties: { personaId: ABSENT } },
        ],
      },
      { anyOf: [{ required: ['region'] }, { properties: { regionPolicy: { const: 'preferred' } } }] },
    ],
    examples: [
      { meetingUrl: 'https://meet.google.com/abc-defg-hij', personaId: '0b0cfd4b-9a4d-4a5b-8d1c-2f1f3a7f6c55' },
    ],
  });
export type CreateInvite = z.infer<typeof createInvite>;

export const listInvites = z.object({ ...pageQuery(), status: z.enum(INVITE_STATUSES).optional() });

export const inviteResponse = z
  .object({
    id: uuid,
    provider: z.enum(PROVIDERS),
    meetingUrl: z.string(),
    displayName: z.string(),
    status: z.enum(INVITE_STATUSES),
    createdAt: timestamp,
    joinAt: timestamp.nullable(),
    groupCall: z.boolean(),
    sessionId: z.string().nullable().describe('Set when the persona was let in and its session has started.'),
    region: z.string().nullable(),
    joinState: z
      .string()
      .nullable()
      .describe(
        'joining, waiting_room, in_call, media_denied, media_granted (not heard yet, or muted by somebody), ' +
          'media_active; at the end left, done or error.',
      ),
    statusReason: z
      .string()
      .nullable()
      .describe(
        'removed_by_host, meeting_ended, not_admitted, join_denied, meeting_link_invalid, meeting_not_started, idle_timeout, left_call or provider_error. Of a pending invite: why the last try failed.',
      ),
    statusMessage: z.string().nullable().describe('The reason in words.'),
  })
  .meta({ id: 'MeetingInvite' });
export type MeetingInvite = z.infer<typeof inviteResponse>;

export const providersResponse = z
  .object({
    enabled: z.boolean().describe('Whether this deployment can join meetings.'),
    message: z.string().nullable().describe('What to do when it cannot.'),
    data: z.array(
      z.object({
        id: z.enum(PROVIDERS),
        name: z.string(),
        tried: z.enum(['yes', 'never']).describe('Whether the connector has joined a meeting of the real service.'),
        note: z.string(),
        conditions: z.array(z.string()).describe('What a meeting must allow, so that a guest can join.'),
      }),
    ),
  })
  .meta({ id: 'MeetingProviders' });
export type MeetingProviders = z.infer<typeof providersResponse>;
