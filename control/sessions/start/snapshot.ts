import type { ResolvedSession } from './resolve-session.ts';

/** Frames per second of every face. */
const FPS = 25;

/** The persona as it was when the session began, for later readers of the session. Secrets never appear in it. */
export function snapshotOf({ config, persona, parts }: ResolvedSession): Record<string, unknown> {
  const { llm, voice } = parts;
  return {
    type: persona.type,
    name: persona.name,
    metadata: persona.metadata,
    llmConfig:
      llm.kind === 'client'
        ? null
        : llm.kind === 'stock'
          ? {
              id: llm.stock.id,
              modelName: llm.stock.modelName,
              format: llm.stock.llmFormat,
              createdByOrganizationId: null,
            }
          : {
              id: llm.row.id,
              modelName: llm.row.model_name,
              format: llm.row.llm_format,
              urls: JSON.parse(llm.row.urls_json),
              maxTokens: llm.row.max_tokens,
              temperature: llm.row.temperature,
              metadata: llm.row.metadata_json === null ? null : JSON.parse(llm.row.metadata_json),
              secret_iv: '[REDACTED]',
              encrypted_secret: '[REDACTED]',
              createdByOrganizationId: llm.row.organization_id,
            },
    systemPrompt: config.systemPrompt,
    personality: config.personality,
    personaPreset: persona.personaPreset,
    directorNotes: config.directorNotes,
    languageCode: persona.languageCode,
    skipGreeting: config.greeting.skip,
    zeroDataRetention: config.zeroDataRetention,
    ttsProvider: config.voice.provider,
    ttsProviderVoiceId: config.voice.providerVoiceId,
    ttsProviderModelId: voice.stock === null ? voice.row.provider_model_id : voice.stock.providerModelId,
    ttsProviderOptions: config.voice.tuning,
    avatarEngineKey: config.avatar.engineKey,
    avatarVersion: config.avatar.model,
    disableBrains: config.llm.kind === 'client',
    enableAudioPassthrough: config.enableAudioPassthrough,
    voiceDetectionOptions: config.voiceDetection,
    voiceGenerationOptions: persona.voiceGenerationOptions,
    maxSessionLengthSeconds: config.maxSessionLengthSeconds,
    fps: FPS,
  };
}
