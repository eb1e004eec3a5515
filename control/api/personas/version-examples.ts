import type { z } from 'zod';
import { metaOf } from '../../http/paging.ts';
import type { Examples } from '../../http/resource.ts';
import { concierge } from './persona-examples.ts';
import type { PersonaContent } from './persona-schema.ts';
import { personaErrors } from './persona-errors.ts';
import type { draftResponse, versionSummary } from './version-schema.ts';

const live: PersonaContent = {
  name: concierge.name,
  description: concierge.description,
  personaPreset: '',
  avatarId: concierge.avatarId,
  avatarModel: null,
  voiceId: concierge.voiceId,
  llmId: concierge.llmId,
  languageCode: 'inherit',
  systemPrompt: concierge.systemPrompt,
  personality: null,
  initialMessage: null,
  skipGreeting: false,
  uninterruptibleGreeting: false,
  voiceDetectionOptions: null,
  voiceGenerationOptions: null,
  directorNotes: null,
  variables: [],
  grading: null,
  toolIds: concierge.toolIds,
  mcpServerIds: [],
  zeroDataRetention: false,
  enableSessionReplay: true,
  enableAudioPassthrough: false,
  maxSessionLengthSeconds: null,
};

const changes = { systemPrompt: 'You are the night porter of a small hotel.' };

const draft: z.infer<typeof draftResponse> = {
  changes,
  content: { ...live, ...changes },
  live,
  liveVersion: 3,
  baseVersion: 3,
  updatedAt: '2026-11-22T00:55:09.774Z',
  keptUntil: '2027-01-21T00:55:09.774Z',
};

const version: z.infer<typeof versionSummary> = {
  number: 3,
  note: 'Asks for the booking number first',
  origin: 'draft',
  isLive: true,
  publishedBy: { kind: 'user', name: 'Ada Lovelace' },
  createdAt: '2026-11-21T00:55:09.774Z',
};

export const versionExamples: Examples = {
  'GET /v1/personas/{id}/draft': { answer: draft },
  'PUT /v1/personas/{id}/draft': { answer: draft },
  'DELETE /v1/personas/{id}/draft': { answer: { message: 'Draft discarded' } },
  'POST /v1/personas/{id}/publish': {
    answer: { ...concierge, version: 4 },
    refusals: [personaErrors.nothingToPublish],
  },
  'GET /v1/personas/{id}/versions': { answer: { data: [version], meta: metaOf({ page: 1, perPage: 10 }, 1) } },
  'GET /v1/personas/{id}/versions/{number}': {
    answer: { ...version, content: live },
    refusals: [personaErrors.versionNotFound],
  },
  'POST /v1/personas/{id}/versions/{number}/publish': {
    answer: { ...concierge, version: 4 },
    refusals: [personaErrors.versionNotFound],
  },
};
