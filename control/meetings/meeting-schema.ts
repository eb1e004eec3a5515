import { z } from 'zod';
import { pageQuery } from '../http/paging.ts';
import { jsonObject, timestamp, uuid } from '../schemas.ts';

export const INVITE_STATUSES = ['pending', 'active', 'ended', 'cancelled', 'failed'] as const;
export const INVITE_REGIONS = ['eu', 'us-east', 'us-west'] as const;

export const createInvite = z
  .object({
    meetingUrl: z.string().min(1).max(2048),
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
      .describe('With a time zone; at most 7 days ahead. Absent: now.'),
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
    examples: [
      { meetingUrl: 'https://meet.google.com/abc-defg-hij', personaId: '0b0cfd4b-9a4d-4a5b-8d1c-2f1f3a7f6c55' },
    ],
  });
export type CreateInvite = z.infer<typeof createInvite>;

export const listInvites = z.object({ ...pageQuery(), status: z.enum(INVITE_STATUSES).optional() });

export const inviteResponse = z
  .object({
    id: uuid,
    provider: z.enum(['google_meet', 'zoom', 'microsoft_teams']),
    meetingUrl: z.string(),
    displayName: z.string(),
    status: z.enum(INVITE_STATUSES),
    createdAt: timestamp,
    joinAt: timestamp.nullable(),
    groupCall: z.boolean(),
    sessionId: z.string().nullable(),
    region: z.string().nullable(),
    joinState: z.string().nullable(),
    statusReason: z.string().nullable(),
  })
  .meta({ id: 'MeetingInvite' });
