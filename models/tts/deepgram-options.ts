import type { SynthesisRequest } from '../ports.ts';
import { paceAndLoudness } from './local-tuning.ts';

export const PROVIDER = 'deepgram';
export const BASE_URL = 'https://api.deepgram.com';
export const SAMPLE_RATE = 24_000;
/** https://developers.deepgram.com/docs/tts-voice-controls */
const SLOWEST = 0.7;
const FASTEST = 1.5;

/** Query parameters of a request. A voice is a model there. */
export function speakQuery({ voice, tuning }: Pick<SynthesisRequest, 'voice' | 'tuning'>): URLSearchParams {
  const { speed } = paceAndLoudness(tuning);
  return new URLSearchParams({
    model: voice,
    encoding: 'linear16',
    sample_rate: String(SAMPLE_RATE),
    ...(speed !== 1 && { speed: String(Math.min(FASTEST, Math.max(SLOWEST, speed))) }),
  });
}
