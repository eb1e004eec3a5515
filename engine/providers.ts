/** What settings are made of: the lists of providers, without the parts of the engine that take time to load. */
export { LLM_FIELDS } from '../models/llm/definition.ts';
export {
  SPEECH_FORMAT,
  speechInput,
  speechSettings,
  type SpeechSettings,
} from '../models/speech-to-speech/settings.ts';
export {
  agentAddress,
  agentSettings,
  type AgentSettings,
} from '../models/speech-to-speech/elevenlabs/agent-settings.ts';
export { LLM_PROVIDERS } from '../models/llm/registry.ts';
export { EMBEDDINGS_PROVIDERS } from '../models/embeddings/registry.ts';
export { NOISE_FILTERS } from '../models/noise/registry.ts';
export { STT_PROVIDERS } from '../models/stt/registry.ts';
export { OFFLINE_VOICES, TTS_PROVIDERS } from '../models/tts/registry.ts';
