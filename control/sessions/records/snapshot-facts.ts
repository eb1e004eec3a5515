/** What stays of a snapshot when the content of the session is deleted: what it ran with, without what people wrote. */
const FACTS = [
  'type',
  'name',
  'languageCode',
  'skipGreeting',
  'zeroDataRetention',
  'ttsProvider',
  'ttsProviderVoiceId',
  'ttsProviderModelId',
  'avatarEngineKey',
  'avatarVersion',
  'disableBrains',
  'enableAudioPassthrough',
  'voiceDetectionOptions',
  'maxSessionLengthSeconds',
  'fps',
];
const LLM_FACTS = ['id', 'modelName', 'format', 'createdByOrganizationId'];

export function factsOf(snapshot: Record<string, unknown>): Record<string, unknown> {
  const llm = snapshot['llmConfig'] as Record<string, unknown> | null | undefined;
  return { ...only(snapshot, FACTS), llmConfig: llm == null ? null : only(llm, LLM_FACTS) };
}

function only(object: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)));
}
