import type { SessionConfig } from '../../actors/session-config.ts';
import { VOICE_DETECTION_DEFAULTS } from '../../actors/settings/voice-options.ts';

/** The service's defaults, without greeting and silence prompts: nobody but the user begins. */
export function benchConfig(): SessionConfig {
  return {
    sessionId: 'bench',
    organizationId: 'bench',
    personaId: null,
    personaName: 'Ada',
    greeting: { skip: true, initialMessage: null, uninterruptible: false },
    systemPrompt: 'You are Ada.',
    personality: null,
    languageCode: 'en',
    voiceDetection: { ...VOICE_DETECTION_DEFAULTS, silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 },
    voice: { voiceId: null, provider: 'simulated', providerVoiceId: 'simulated', family: 'local', tuning: {} },
    llm: { kind: 'service', llmId: 'simulated', displayName: 'simulated', reasoningFormat: null },
    avatar: { avatarId: 'a', model: 'cara-3', engineKey: 'a' },
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
    groupCall: false,
  };
}
