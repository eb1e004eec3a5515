import type { UsageRecord } from '../../actors/report.ts';
import { OFFLINE_VOICES, STT_PROVIDERS } from '../../engine/providers.ts';

/** Recognizers and voices on the machine itself are paid nothing. */
export function isFree(service: UsageRecord['service'], provider: string): boolean {
  if (service === 'stt') return STT_PROVIDERS.find(({ id }) => id === provider)?.where === 'local';
  return service === 'tts' && provider === OFFLINE_VOICES;
}
