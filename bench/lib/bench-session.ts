import { randomUUID } from 'node:crypto';
import type { SessionConfig } from '../../actors/session-config.ts';
import { VOICE_DETECTION_DEFAULTS } from '../../actors/settings/voice-options.ts';

/** A plain session for benches: no greeting, no silence prompts, one avatar. */
export function benchSession(overrides: Partial<SessionConfig> = {}): SessionConfig {
  return {
    sessionId: randomUUID(),
    organizationId: 'bench',
    personaId: null,
    personaName: 'Bench',
    greeting: { skip: true, initialMessage: null, uninterruptible: false },
    systemPrompt: '',
    personality: null,
    languageCode: 'en',
    voiceDetection: { ...VOICE_DETECTION_DEFAULTS, silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 },
    voice: { voiceId: null, provider: 'FAKE', providerVoiceId: 'fake', family: 'local', tuning: {} },
    llm: { kind: 'service', llmId: 'fake', displayName: 'Fake', reasoningFormat: null },
    avatar: { avatarId: 'bench', model: 'cara-3', engineKey: '' },
    tools: [],
    directorNotes: null,
    enableAudioPassthrough: false,
    maxSessionLengthSeconds: null,
    zeroDataRetention: true,
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
