import type { z } from 'zod';
import { stockAvatar } from '../avatars/avatar-examples.ts';
import { ERRORS } from '../../errors/http-error.ts';
import { metaOf } from '../../http/paging.ts';
import type { Examples } from '../../http/resource.ts';
import { showMap } from '../tools/tool-examples.ts';
import { stockVoice } from '../voices/voice-examples.ts';
import type { PersonaResponse, personaSummary } from './persona-schema.ts';

export const concierge: PersonaResponse = {
  id: '85dc37f8-b9d5-4e0c-b988-a1c1fe64068c',
  name: 'Concierge',
  description: 'Answers at night',
  personaPreset: '',
  avatar: stockAvatar,
  voice: stockVoice,
  avatarId: stockAvatar.id,
  avatarModel: null,
  voiceId: stockVoice.id,
  voiceSpeed: 1,
  llmId: '30f19e3d-b50e-4ab3-a985-2780c3c1739a',
  brain: { personality: null, systemPrompt: 'You are the concierge of a small hotel. Answer in one or two sentences.' },
  systemPrompt: 'You are the concierge of a small hotel. Answer in one or two sentences.',
  tools: [showMap],
  toolIds: [showMap.id],
  mcpServerIds: [],
  knowledge: [],
  shareLinks: [],
  primaryShareLink: null,
  enableAudioPassthrough: false,
  enableSessionReplay: true,
  skipGreeting: false,
  uninterruptibleGreeting: false,
  initialMessage: null,
  zeroDataRetention: false,
  voiceDetectionOptions: null,
  voiceGenerationOptions: null,
  languageCode: 'inherit',
  directorNotes: null,
  maxSessionLengthSeconds: null,
  widgetConfig: {},
  version: 3,
  variables: [],
  grading: null,
  publishingRequiresTests: false,
  isDefaultPersona: false,
  createdAt: '2026-11-21T00:55:09.774Z',
  updatedAt: '2026-11-21T00:55:09.774Z',
};

const { name, personaPreset, voiceSpeed, isDefaultPersona, languageCode, createdAt, updatedAt } = concierge;
const summary: z.infer<typeof personaSummary> = {
  id: concierge.id,
  name,
  description: 'Answers at night',
  personaPreset,
  avatar: stockAvatar,
  voice: stockVoice,
  missing: [],
  voiceSpeed,
  isDefaultPersona,
  languageCode,
  createdAt,
  updatedAt,
};

export const personaExamples: Examples = {
  'GET /v1/personas': { answer: { data: [summary], meta: metaOf({ page: 1, perPage: 10 }, 1) } },
  'POST /v1/personas': { answer: { ...concierge, description: null } },
  'GET /v1/personas/{id}': { answer: concierge },
  'PUT /v1/personas/{id}': { answer: concierge },
  'DELETE /v1/personas/{id}': { answer: { message: 'Persona deleted' }, refusals: [ERRORS.inUse] },
};
