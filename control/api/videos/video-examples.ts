import type { z } from 'zod';
import { metaOf } from '../../http/paging.ts';
import { personaErrors } from '../personas/persona-errors.ts';
import type { Examples } from '../../http/resource.ts';
import { videoErrors } from '../../errors/video-errors.ts';
import type { videoResponse } from './video-schema.ts';

const video: z.infer<typeof videoResponse> = {
  id: '7c6151a4-7ea0-4bde-bbc0-4381b5dfdc14',
  title: 'Hello',
  status: 'queued',
  script: 'Welcome.',
  personaId: '53406273-f970-4090-9f8b-d25018df2fbd',
  avatarId: 'f8bbf49d-d036-48e0-a853-7e06220377bf',
  avatarModel: 'cara-4',
  voiceId: 'c2301650-8e89-4224-afc3-124c7725aab8',
  width: 768,
  height: 1152,
  fps: 25,
  progress: 0,
  durationSeconds: null,
  fileSize: null,
  videoUrl: null,
  errorMessage: null,
  organizationId: '01f17cb1-df07-45aa-8a65-ad42ed3eac55',
  createdAt: '2026-11-21T00:52:35.698Z',
  updatedAt: '2026-11-21T00:52:35.698Z',
  completedAt: null,
};

export const videoExamples: Examples = {
  'POST /v1/avatar-videos': { answer: video, refusals: [personaErrors.personaNotFound, videoErrors.videoQueueFull] },
  'GET /v1/avatar-videos': { answer: { data: [], meta: metaOf({ page: 1, perPage: 10 }, 0) } },
  'GET /v1/avatar-videos/{id}': { answer: { ...video, status: 'cancelled' } },
  'GET /v1/avatar-videos/{id}/download': {
    answer: {
      downloadUrl: 'https://parley.example.com/files/videos/7c6151a4-7ea0-4bde-bbc0-4381b5dfdc14?signature=kz-cCYeM',
      filename: 'Hello.mp4',
    },
    refusals: [videoErrors.videoNotReady],
  },
};
