import { ERRORS } from '../../errors/http-error.ts';
import { metaOf } from '../../http/paging.ts';
import type { Examples } from '../../http/resource.ts';
import { voiceErrors } from './voice-errors.ts';
import { MAX_UPLOADED_SAMPLE_SIZE, MAX_PREVIEW_LENGTH, type VoiceResponse } from './voice-schema.ts';

const sampleOf = (id: string, name: string): string =>
  `https://parley.example.com/files/voice-samples/${id}?expires=1796083200000&name=${name}&signature=RLFw8aiq`;

export const stockVoice: VoiceResponse = {
  id: 'c2301650-8e89-4224-afc3-124c7725aab8',
  displayName: 'Test Voice',
  description: null,
  provider: 'LOCAL',
  providerVoiceId: 'slt',
  providerModelId: null,
  sampleUrl: sampleOf('c2301650-8e89-4224-afc3-124c7725aab8', 'Test+Voice'),
  previewSampleUrl: sampleOf('c2301650-8e89-4224-afc3-124c7725aab8', 'Test+Voice'),
  gender: 'female',
  country: 'US',
  languages: ['en'],
  displayTags: [],
  isZdr: true,
  createdByOrganizationId: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

const clonedVoice: VoiceResponse = {
  id: '91bc90d0-27ad-4ea2-bfea-4562e4887dfc',
  displayName: 'Me',
  description: null,
  provider: 'ELEVENLABS',
  providerVoiceId: 'c38kUX8pkfYO2kHyqfFy',
  providerModelId: null,
  sampleUrl: sampleOf('91bc90d0-27ad-4ea2-bfea-4562e4887dfc', 'Me'),
  previewSampleUrl: sampleOf('91bc90d0-27ad-4ea2-bfea-4562e4887dfc', 'Me'),
  gender: null,
  country: null,
  languages: ['en'],
  displayTags: [],
  isZdr: false,
  createdByOrganizationId: '26a04c41-32c5-4a32-8e20-b2b960c2755e',
  createdAt: '2026-11-21T00:54:30.115Z',
  updatedAt: '2026-11-21T00:54:30.115Z',
};

export const voiceExamples: Examples = {
  'GET /v1/voices': { answer: { data: [stockVoice], meta: metaOf({ page: 1, perPage: 10 }, 2) } },
  'POST /v1/voices': {
    request: { name: 'Me', audioKey: '7a60502c-2fee-4b5d-a85d-60db90720c04' },
    answer: clonedVoice,
    refusals: [voiceErrors.recordingRefused, voiceErrors.cloningQueueFull, voiceErrors.cloningFailed],
  },
  'GET /v1/voices/options': {
    answer: {
      providers: ['ELEVENLABS', 'LOCAL'],
      languages: ['de', 'en'],
      longestPreview: MAX_PREVIEW_LENGTH,
      cloning: {
        available: true,
        reason: null,
        largestRecording: MAX_UPLOADED_SAMPLE_SIZE,
        services: [
          {
            provider: 'ELEVENLABS',
            advice: 'One to two minutes of one person who speaks clearly, without noise or music.',
            languages: null,
          },
        ],
      },
    },
  },
  'POST /v1/voices/presigned-upload': {
    refusals: [voiceErrors.cloningQueueFull],
    answer: {
      uploadUrl: 'https://parley.example.com/uploads/samples/2998d9d8-8883-4f42-b336-3803b12e1091?signature=RLFw8aiq',
      audioKey: '2998d9d8-8883-4f42-b336-3803b12e1091',
    },
  },
  'GET /v1/voices/{id}': { answer: stockVoice },
  'PUT /v1/voices/{id}': {
    answer: {
      ...clonedVoice,
      id: 'bf6cedcb-b033-4e91-b510-c5b99dffbfb7',
      displayName: 'I',
      gender: 'female',
      country: 'GB',
    },
  },
  'POST /v1/voices/{id}/preview': {
    refusals: [voiceErrors.sampleQueueFull, voiceErrors.sampleFailed],
  },
  'DELETE /v1/voices/{id}': {
    answer: { message: 'Voice deleted successfully' },
    refusals: [ERRORS.inUse, voiceErrors.cloningQueueFull, voiceErrors.cloningFailed],
  },
};
