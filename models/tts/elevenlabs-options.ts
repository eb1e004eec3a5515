import type { VoiceTuning } from '../ports.ts';

export const PROVIDER = 'elevenlabs';
export const BASE_URL = 'https://api.elevenlabs.io';
export const SAMPLE_RATE = 24_000;
export const DEFAULT_MODEL = 'eleven_flash_v2_5';
/** Models that accept a language. Others refuse it. */
export const TAKES_LANGUAGE = new Set(['eleven_flash_v2_5', 'eleven_turbo_v2_5', 'eleven_v3']);

export function voiceSettings(tuning: VoiceTuning): Record<string, number | boolean> {
  return {
    ...(tuning.stability !== undefined && { stability: tuning.stability }),
    ...(tuning.similarityBoost !== undefined && { similarity_boost: tuning.similarityBoost }),
    ...(tuning.style !== undefined && { style: tuning.style }),
    ...(tuning.useSpeakerBoost !== undefined && { use_speaker_boost: tuning.useSpeakerBoost }),
    ...(tuning.speed !== undefined && { speed: tuning.speed }),
  };
}
