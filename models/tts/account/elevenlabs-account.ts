import { openAsBlob } from 'node:fs';
import { FormData } from 'undici';
import { z } from 'zod';
import { AccountHttp, type Explanation } from './account-http.ts';
import { BASE_URL } from '../elevenlabs-options.ts';
import { describeCopy, isCopyOfOrganization, type OfferedVoice, type VoiceAccount } from './voice-account.ts';
import { MAX_VOICES, PAGE_SIZE } from './voice-list-limits.ts';
import { countryOf, isVoiceId, languagesOf, listed, voiceDescription, voiceName } from './voice-text.ts';

const voiceSchema = z.object({
  voice_id: z.string().refine(isVoiceId),
  name: z.string().nullish(),
  description: z.string().nullish(),
  preview_url: z.string().nullish(),
  labels: z.record(z.string(), z.string().nullable()).nullish(),
  verified_languages: z
    .array(z.object({ language: z.string(), locale: z.string().nullish(), preview_url: z.string().nullish() }))
    .nullish(),
});
const pageSchema = z.object({
  voices: z.array(z.unknown()),
  has_more: z.boolean().default(false),
  next_page_token: z.string().nullish(),
});
const copySchema = z.object({ voice_id: z.string().refine(isVoiceId), requires_verification: z.boolean().nullish() });
const errorSchema = z.object({
  detail: z.object({ code: z.string().nullish(), status: z.string().nullish() }),
});

const NO_CLONING: Explanation = {
  problem: 'plan',
  because: 'does not include voice cloning in the plan of this deployment',
};
const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  can_not_use_instant_voice_cloning: NO_CLONING,
  paid_plan_required: NO_CLONING,
  voice_limit_reached: {
    problem: 'plan',
    because: 'holds as many voices as the plan of this deployment allows; delete one of them first',
  },
  quota_exceeded: { problem: 'plan', because: 'has no quota left for this deployment' },
  missing_permissions: { problem: 'key', because: 'does not allow this to the API key of this deployment' },
};

/**
 * The voices of an ElevenLabs account, from `GET /v2/voices`: https://elevenlabs.io/docs/api-reference/voices/search.
 * Copies by `POST /v1/voices/add`: https://elevenlabs.io/docs/api-reference/voices/ivc/create, deleted by
 * `DELETE /v1/voices/{voice_id}`: https://elevenlabs.io/docs/api-reference/voices/delete. Errors:
 * https://elevenlabs.io/docs/eleven-api/resources/errors. Not tried against the real service.
 */
export function elevenLabsAccount(options: { apiKey: string; baseUrl?: string | undefined }): VoiceAccount {
  const baseUrl = new URL('/', options.baseUrl ?? BASE_URL).href;
  const http = new AccountHttp({
    displayName: 'ElevenLabs',
    baseUrl,
    headers: { 'xi-api-key': options.apiKey },
    explain,
  });
  return {
    origin: new URL(baseUrl).origin,
    // Recordings are public.
    sampleHeaders: {},
    async list(signal) {
      const voices: OfferedVoice[] = [];
      let token: string | null = null;
      for (let asked = 0; asked < MAX_VOICES; asked += PAGE_SIZE) {
        const query = { page_size: String(PAGE_SIZE), ...(token !== null && { next_page_token: token }) };
        const page: z.output<typeof pageSchema> = await http.get('v2/voices', query, pageSchema, signal);
        for (const voice of page.voices) voices.push(...offered(voice));
        token = page.next_page_token ?? null;
        if (!page.has_more || token === null) break;
      }
      return voices;
    },
    cloning: {
      advice: 'One to two minutes of one person who speaks clearly, without noise or music.',
      languages: null,
      async clone(wanted, signal) {
        const { path, filename, contentType } = wanted.recording;
        const form = new FormData();
        form.set('name', wanted.name);
        form.set('description', describeCopy(wanted));
        form.set('labels', JSON.stringify({ language: wanted.language }));
        form.set('remove_background_noise', String(wanted.enhance));
        form.append('files', await openAsBlob(path, { type: contentType }), filename);
        return (await http.post('v1/voices/add', form, copySchema, signal)).voice_id;
      },
      remove: (voice, signal) => http.delete(`v1/voices/${encodeURIComponent(voice)}`, signal),
    },
    close: () => http.close(),
  };
}

/** @returns nothing for what is not understood, and for the voices of organizations. */
function offered(entry: unknown): OfferedVoice[] {
  const { data: voice } = voiceSchema.safeParse(entry);
  if (voice === undefined || isCopyOfOrganization(voice.description)) return [];
  const labels = voice.labels ?? {};
  const verified = voice.verified_languages ?? [];
  const { gender } = labels;
  return [
    {
      providerVoiceId: voice.voice_id,
      displayName: voiceName(voice.name, voice.voice_id),
      gender:
        gender === 'male' || gender === 'female' ? gender : /neutral|binary/u.test(gender ?? '') ? 'neutral' : null,
      languages: languagesOf([labels['language'], ...verified.map(({ language }) => language)]),
      country: countryOf(verified[0]?.locale),
      description: voiceDescription(
        voice.description ??
          listed([labels['accent'], labels['descriptive'] ?? labels['description'], labels['use_case']]),
      ),
      sampleUrl:
        voice.preview_url ?? verified.find(({ preview_url: url }) => typeof url === 'string')?.preview_url ?? null,
    },
  ];
}

/** By the name of the error, or by that of older answers. */
function explain(body: unknown): Explanation | null {
  const { code, status } = errorSchema.safeParse(body).data?.detail ?? {};
  return EXPLANATIONS[code ?? ''] ?? EXPLANATIONS[status ?? ''] ?? null;
}
