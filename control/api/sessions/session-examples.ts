import { ERRORS } from '../../errors/http-error.ts';
import { metaOf } from '../../http/paging.ts';
import { personaErrors } from '../personas/persona-errors.ts';
import type { Examples } from '../../http/resource.ts';
import { sessionErrors } from '../../errors/session-errors.ts';
import type { SessionResponse } from '../../sessions/records/session-schema.ts';

const session: SessionResponse = {
  id: '55570235-b6dc-408d-a813-fca590687906',
  personaId: '85dc37f8-b9d5-4e0c-b988-a1c1fe64068c',
  personaVersion: 3,
  clientLabel: 'web-shop',
  source: 'api',
  startTime: '2026-11-21T00:55:09.774Z',
  endTime: null,
  sessionLengthMs: null,
  exitStatus: null,
  end_reason: null,
  end_message: null,
  endReason: null,
  endMessage: null,
  grade: null,
  engineHost: 'localhost',
  engineProtocol: 'http',
  engineVersion: '0.1.0',
  region: 'eu',
  clientMetadata: null,
  personaConfig: {
    type: 'stateful',
    name: 'Concierge',
    metadata: null,
    llmConfig: {
      id: '30f19e3d-b50e-4ab3-a985-2780c3c1739a',
      modelName: 'test',
      format: 'openai',
      createdByOrganizationId: null,
    },
    systemPrompt: 'You are the concierge of a small hotel. Answer in one or two sentences.',
    personality: null,
    languageCode: 'inherit',
    skipGreeting: false,
    zeroDataRetention: false,
    ttsProvider: 'LOCAL',
    ttsProviderVoiceId: 'slt',
    ttsProviderModelId: null,
    ttsProviderOptions: {},
    avatarEngineKey: 'test-one',
    avatarVersion: 'cara-3',
    disableBrains: false,
    enableAudioPassthrough: false,
    voiceDetectionOptions: {
      endOfSpeechSensitivity: 0.5,
      silenceBeforeSkipTurnSeconds: 5,
      silenceBeforeSessionEndSeconds: 60,
      silenceBeforeAutoEndTurnSeconds: 5,
      speechEnhancementLevel: 0.8,
    },
    voiceGenerationOptions: null,
    maxSessionLengthSeconds: null,
    fps: 25,
  },
  contentDeletedAt: null,
  apiKeyId: '74a7b117-16a2-465a-b253-ab9356d449f4',
  userId: null,
  organizationId: '315c11d9-80a9-4d65-b0cd-b24f8ab748d8',
  createdAt: '2026-11-21T00:55:09.774Z',
  updatedAt: '2026-11-21T00:55:09.774Z',
};

export const sessionExamples: Examples = {
  'POST /v1/auth/session-token': {
    answer: { sessionToken: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ0eXBlIjoic3RhdGVmdWwifQ.c2lnbmF0dXJl' },
    refusals: [personaErrors.personaNotFound],
  },
  'POST /v1/engine/session': {
    request: { personaConfig: { personaId: '85dc37f8-b9d5-4e0c-b988-a1c1fe64068c' }, clientLabel: 'web-shop' },
    answer: {
      sessionId: '55570235-b6dc-408d-a813-fca590687906',
      region: 'eu',
      engineHost: 'localhost',
      engineProtocol: 'http',
      signallingEndpoint: '/ws',
      clientConfig: {
        heartbeatIntervalSeconds: 5,
        maxWsReconnectionAttempts: 5,
        expectedHeartbeatIntervalSecs: 5,
        maxWsReconnectAttempts: 5,
        iceServers: [],
      },
    },
    refusals: [
      sessionErrors.noPlan,
      personaErrors.personaNotFound,
      ERRORS.unreadableSecret,
      sessionErrors.concurrentSessions,
      sessionErrors.machineBusy,
      sessionErrors.noEngines,
    ],
  },
  'POST /talk': {
    request: { content: 'Welcome to our hotel.' },
    answer: {},
    refusals: [sessionErrors.sessionNotFound, sessionErrors.noEngines],
  },
  'GET /v1/sessions': { answer: { data: [session], meta: metaOf({ page: 1, perPage: 10 }, 1) } },
  'GET /v1/sessions/concurrency': { answer: { limit: 20, active: 1, canStartSession: true, estimatedWaitSeconds: 0 } },
  'GET /v1/sessions/{id}': {
    answer: {
      ...session,
      toolCalls: [],
      usage: [
        {
          service: 'llm',
          provider: 'openai house-8b',
          requests: 14,
          unreportedRequests: 0,
          inputTokens: 9_412,
          cachedInputTokens: 20_480,
          outputTokens: 1_120,
        },
        { service: 'stt', provider: 'deepgram', audioSeconds: 74.2 },
        { service: 'tts', provider: 'elevenlabs', characters: 4_210 },
      ],
    },
  },
  'DELETE /v1/sessions/{id}': { refusals: [sessionErrors.sessionIsRunning] },
  'GET /v1/sessions/{id}/transcript': {
    answer: {
      sessionId: '5d412e1e-b59a-49dc-9b15-19909bdf1905',
      personaName: 'Host',
      startTime: '2026-11-21T00:49:25.866Z',
      endTime: '2026-11-21T00:49:26.866Z',
      durationMs: 1000,
      totalMessages: 1,
      transcriptsEnabled: true,
      messages: [
        {
          role: 'user',
          message: 'what are your hours',
          timestamp: '2026-11-21T00:49:28.466Z',
          speakingDurationSeconds: 1,
        },
      ],
    },
  },
  'GET /v1/sessions/{id}/recording': {
    answer: {
      recordingUrl:
        'https://parley.example.com/files/recordings/5ecdb492-520b-464e-b108-f8642d4fb750?signature=P6Wkc-01',
    },
  },
  'GET /v1/sessions/{id}/timeline': {
    answer: {
      turns: [
        {
          turnIndex: 0,
          correlationId: 'c1',
          userSpeechStartedAt: null,
          userSpeechEndedAt: null,
          endOfTurnAt: 2500,
          transcribedAt: null,
          llmRequestedAt: 2610,
          llmFirstOutputAt: 2900,
          llmFinalOutputAt: 3400,
          synthesisStartedAt: 2950,
          synthesisFirstAudioAt: 3000,
          synthesisEndedAt: 3500,
          speakingStartedAt: 3050,
          speakingEndedAt: 5050,
          finishReason: 'completed',
          interruptedStage: null,
          userText: null,
          personaText: 'We open at nine.',
          toolCallIds: [],
          providers: { stt: ['openai'], llm: ['openai gpt-4o-mini'], tts: ['elevenlabs', 'offline'] },
        },
      ],
      events: [{ at: 5, kind: 'socket', label: 'signalling connected' }],
    },
  },
  'POST /v1/sessions/{id}/stop': { answer: {}, refusals: [sessionErrors.noEngines] },
  'GET /v1/sessions/export': {
    answer: 'id,startTime\r\n55570235-b6dc-408d-a813-fca590687906,2026-11-21T00:55:09.774Z\r\n',
  },
  'GET /v1/sessions/{id}/log': { answer: '{"at":5,"type":"socket.opened"}\n' },
};
