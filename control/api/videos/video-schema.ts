import { z } from 'zod';
import { voiceGenerationOptionsSchema } from '../../../actors/settings/voice-options.ts';
import { pageQuery, searchQuery } from '../../http/paging.ts';
import { timestamp, uuid } from '../../http/schemas.ts';
import { ephemeralPersona } from '../../sessions/start/persona-config.ts';

export const VIDEO_STATUSES = ['queued', 'processing', 'completed', 'failed', 'cancelled'] as const;

/** Of the API document: a field that must not be there. */
const ABSENT = { not: {} };

export const createVideo = z
  .object({
    script: z.string().trim().min(1).max(10_000),
    personaId: z.string().min(1).max(128).optional(),
    avatarId: uuid.optional(),
    voiceId: uuid.optional(),
    title: z.string().trim().min(1).max(200).optional(),
    avatarModel: ephemeralPersona.shape.avatarModel,
    languageCode: ephemeralPersona.shape.languageCode,
    voiceGenerationOptions: voiceGenerationOptionsSchema(null).optional(),
    directorNotes: ephemeralPersona.shape.directorNotes,
    videoWidth: z.number().int().min(1).max(4096).optional(),
    videoHeight: z.number().int().min(1).max(4096).optional(),
    showAIAvatarDisclosure: z.boolean().default(false),
  })
  .refine(
    (video) => (video.personaId === undefined) !== (video.avatarId === undefined && video.voiceId === undefined),
    { path: ['personaId'], message: 'Provide personaId, or avatarId and voiceId' },
  )
  .refine((video) => (video.avatarId === undefined) === (video.voiceId === undefined), {
    path: ['voiceId'],
    message: 'avatarId and voiceId belong together',
  })
  .meta({
    id: 'CreateAvatarVideo',
    allOf: [
      {
        anyOf: [
          { required: ['personaId'], properties: { avatarId: ABSENT, voiceId: ABSENT } },
          { required: ['avatarId', 'voiceId'], properties: { personaId: ABSENT } },
        ],
      },
      {
        anyOf: [
          { required: ['videoWidth', 'videoHeight'] },
          { properties: { videoWidth: ABSENT, videoHeight: ABSENT } },
        ],
      },
    ],
    examples: [{ script: 'Welcome to our hotel.', personaId: '0b0cfd4b-9a4d-4a5b-8d1c-2f1f3a7f6c55' }],
  });

export const listVideos = z.object({
  ...pageQuery(),
  search: searchQuery.describe('In title or id.'),
  status: z.enum(VIDEO_STATUSES).optional(),
});

export const videoResponse = z
  .object({
    id: uuid,
    title: z.string().nullable(),
    status: z.enum(VIDEO_STATUSES),
    script: z.string(),
    personaId: z.string().nullable(),
    avatarId: z.string(),
    avatarModel: z.string(),
    voiceId: z.string(),
    width: z.number().int(),
    height: z.number().int(),
    fps: z.literal(25),
    progress: z.number().min(0).max(1).describe('How much of the script is in the video.'),
    durationSeconds: z.number().nullable(),
    fileSize: z.number().int().nullable(),
    videoUrl: z.string().nullable(),
    errorMessage: z.string().nullable(),
    organizationId: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
    completedAt: timestamp.nullable(),
  })
  .meta({ id: 'AvatarVideo' });
