import { z } from 'zod';
import type { UsageRecord } from '../../../actors/report.ts';
import { secondsOf } from '../../http/seconds.ts';

const counted = z.number().int().optional();

export const providerUsage = z
  .object({
    service: z.enum(['stt', 'llm', 'tts']),
    provider: z.string().describe('As in the analytics of its turns; of an LLM its format and its model.'),
    requests: counted.describe('To an LLM, also those whose answer nobody heard.'),
    unreportedRequests: counted.describe(
      'Those of them whose tokens the LLM did not tell: they are not in the numbers.',
    ),
    inputTokens: counted.describe('Read anew.'),
    cachedInputTokens: counted.describe('Read from a cache.'),
    cacheWriteTokens: counted.describe('Read anew, and put into a cache.'),
    outputTokens: counted.describe('With those of its reasoning.'),
    audioInputTokens: counted.describe('Of sound that a speech-to-speech model heard anew.'),
    cachedAudioInputTokens: counted.describe('Of such sound, from a cache.'),
    audioOutputTokens: counted.describe('Of sound that it spoke.'),
    audioSeconds: z.number().optional().describe('Of the user, given to a recognizer.'),
    characters: counted.describe('Given to a voice.'),
  })
  .meta({ id: 'ProviderUsage' });
export type ProviderUsage = z.infer<typeof providerUsage>;

export function shownUsage({ service, provider, amounts }: UsageRecord): ProviderUsage {
  const { requests, reportedRequests = 0, audioMs, ...others } = amounts;
  return {
    service,
    provider,
    ...(requests !== undefined && { requests, unreportedRequests: Math.max(0, requests - reportedRequests) }),
    ...others,
    ...(audioMs !== undefined && { audioSeconds: secondsOf(audioMs) }),
  };
}
