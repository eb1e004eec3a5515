import { z } from 'zod';
import { AccountHttp } from './account-http.ts';
import { BASE_URL } from '../deepgram-options.ts';
import { MAX_VOICES } from './voice-list-limits.ts';
import type { OfferedVoice, VoiceAccount } from './voice-account.ts';
import { countryOf, isVoiceId, languagesOf, listed, voiceDescription, voiceName } from './voice-text.ts';

const voiceSchema = z.object({
  name: z.string().nullish(),
  canonical_name: z.string().refine(isVoiceId),
  languages: z.array(z.string()).nullish(),
  metadata: z
    .object({
      accent: z.string().nullish(),
      display_name: z.string().nullish(),
      sample: z.string().nullish(),
      tags: z.array(z.string()).nullish(),
    })
    .nullish(),
});
const answerSchema = z.object({ tts: z.array(z.unknown()) });

/** Words for the gender among the tags. */
const GENDERS: Readonly<Record<string, OfferedVoice['gender']>> = { feminine: 'female', masculine: 'male' };

/**
 * The voices of Deepgram, which are models, from `GET /v1/models`:
 * https://developers.deepgram.com/reference/manage/models/list. It cannot copy voices. Not tried against the real
 * service.
 */
export function deepgramAccount(options: { apiKey: string; baseUrl?: string | undefined }): VoiceAccount {
  const baseUrl = new URL('/', options.baseUrl ?? BASE_URL).href;
  const http = new AccountHttp({
    displayName: 'Deepgram',
    baseUrl,
    headers: { authorization: `Token ${options.apiKey}` },
  });
  return {
    origin: new URL(baseUrl).origin,
    // Recordings are public.
    sampleHeaders: {},
    async list(signal) {
      const { tts } = await http.get('v1/models', {}, answerSchema, signal);
      return tts.slice(0, MAX_VOICES).flatMap(offered);
    },
    close: () => http.close(),
  };
}

function offered(entry: unknown): OfferedVoice[] {
  const { data: voice } = voiceSchema.safeParse(entry);
  if (voice === undefined) return [];
  const { accent, display_name: displayName, sample, tags } = voice.metadata ?? {};
  const name = displayName ?? voice.name ?? '';
  return [
    {
      providerVoiceId: voice.canonical_name,
      displayName: voiceName(name === '' ? null : name[0]!.toUpperCase() + name.slice(1), voice.canonical_name),
      gender: tags?.map((tag) => GENDERS[tag.toLowerCase()] ?? null).find((gender) => gender !== null) ?? null,
      languages: languagesOf(voice.languages ?? []),
      country: voice.languages?.map(countryOf).find((country) => country !== null) ?? null,
      description: voiceDescription(
        listed([accent, ...(tags ?? []).filter((tag) => !Object.hasOwn(GENDERS, tag.toLowerCase()))]),
      ),
      sampleUrl: sample ?? null,
    },
  ];
}
