/** What settings are made of: the lists of providers, without the parts of the engine that take time to load. */
export { TTS_PROVIDERS } from '../models/tts/registry.ts';
