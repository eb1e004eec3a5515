/** What settings are made of: the lists of providers, without the parts of the engine that take time to load. */
export { STT_PROVIDERS } from '../models/stt/registry.ts';
export { TTS_PROVIDERS } from '../models/tts/registry.ts';
