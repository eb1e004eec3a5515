import type { SessionConfig, ToolDefinition } from '../session-config.ts';
import { VOICE_DETECTION_DEFAULTS } from '../settings/voice-options.ts';

/** A persona for tests; everything can be overridden. */
export function testConfig(overrides: Partial<SessionConfig> = {}): SessionConfig {
  return {
    sessionId: '00000000-0000-4000-8000-000000000001',
    organizationId: 'org-1',
    personaId: 'persona-1',
    personaName: 'Ada',
    greeting: { skip: true, initialMessage: null, uninterruptible: false },
    systemPrompt: 'You are Ada.',
    personality: null,
    languageCode: 'en',
    // Prompts would speak into every longer test.
    voiceDetection: { ...VOICE_DETECTION_DEFAULTS, silenceBeforeSkipTurnSeconds: 0 },
    voice: { voiceId: 'voice-1', provider: 'fake', providerVoiceId: 'fake', family: 'local', tuning: {} },
    llm: { kind: 'service', llmId: 'llm-1', displayName: 'Fake LLM', reasoningFormat: 'parsed' },
    avatar: { avatarId: 'avatar-1', model: 'cara-4', engineKey: 'ada' },
    tools: [],
    directorNotes: null,
    enableAudioPassthrough: false,
    maxSessionLengthSeconds: null,
    zeroDataRetention: false,
    recordingEnabled: false,
    videoQuality: 'auto',
    videoWidth: 720,
    videoHeight: 480,
    showAIAvatarDisclosure: false,
    region: null,
    clientLabel: null,
    meeting: null,
    ...overrides,
  };
}

export function clientTool(
  name: string,
  overrides: Partial<Extract<ToolDefinition, { kind: 'client' }>> = {},
): ToolDefinition {
  return {
    kind: 'client',
    name,
    description: name,
    parameters: { type: 'object', properties: {} },
    disableInterruptions: false,
    awaitResult: true,
    toolTimeoutSeconds: 10,
    ...overrides,
  };
}

export function webhookTool(
  name: string,
  overrides: Partial<Extract<ToolDefinition, { kind: 'webhook' }>> = {},
): ToolDefinition {
  return {
    kind: 'webhook',
    name,
    description: name,
    parameters: { type: 'object', properties: {} },
    disableInterruptions: false,
    url: 'https://tools.example/hook',
    method: 'POST',
    headers: {},
    bodyTemplate: null,
    queryParameters: null,
    awaitResponse: true,
    ...overrides,
  };
}

export function systemTool(action: Extract<ToolDefinition, { kind: 'system' }>['action']): ToolDefinition {
  return {
    kind: 'system',
    name: action,
    description: action,
    parameters: { type: 'object', properties: {} },
    disableInterruptions: false,
    action,
  };
}
