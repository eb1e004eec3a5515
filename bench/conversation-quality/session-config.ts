import type { SessionConfig } from '../../actors/session-config.ts';
import { VOICE_DETECTION_DEFAULTS } from '../../actors/settings/voice-options.ts';
import { testConfig } from '../../actors/testing/session-config.ts';

/** The defaults of the service, without greeting and silence prompts: only the user begins. */
export function benchConfig(): SessionConfig {
  return testConfig({
    voiceDetection: { ...VOICE_DETECTION_DEFAULTS, silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 },
    llm: { kind: 'service', llmId: 'simulated', displayName: 'simulated', reasoningFormat: null },
  });
}
