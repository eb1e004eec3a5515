import { openAsBlob } from 'node:fs';
import { FormData } from 'undici';
import { z } from 'zod';
import { AccountHttp } from './account-http.ts';
import { API_VERSION, BASE_URL, LANGUAGES } from '../cartesia-options.ts';
import { MAX_VOICES, PAGE_SIZE } from './voice-list-limits.ts';
import { describeCopy, isCopyOfOrganization, type OfferedVoice, type VoiceAccount } from './voice-account.ts';
import { isVoiceId, languagesOf, voiceDescription, voiceName } from './voice-text.ts';

const voiceSchema = z.object({
  id: z.string().refine(isVoiceId),
  name: z.string().nullish(),
  description: z.string().nullish(),
  language: z.string().nullish(),
  gender: z.string().nullish(),
  preview_file_url: z.string().nullish(),
});
const pageSchema = z.object({ data: z.array(z.unknown()), has_more: z.boolean().default(false) });
const withId = z.object({ id: z.string().refine(isVoiceId) });

const GENDERS: Readonly<Record<string, OfferedVoice['gender']>> = {
  masculine: 'male',
  feminine: 'female',
  gender_neutral: 'neutral',
};

/**
 * The voices of Cartesia that a key can use, from `GET /voices`: https://docs.cartesia.ai/api-reference/voices/list.
 * Copies by `POST /voices/clone`: https://docs.cartesia.ai/api-reference/voices/clone, deleted by `DELETE /voices/{id}`:
 * https://docs.cartesia.ai/api-reference/voices/delete. Its errors are known by
 * their status. Not tried against the real service.
 */
export function cartesiaAccount(options: { apiKey: string; baseUrl?: string | undefined }): VoiceAccount {
  const baseUrl = new URL('/', options.baseUrl ?? BASE_URL).href;
  const headers = { authorization: `Bearer ${options.apiKey}`, 'cartesia-version': API_VERSION };
  const http = new AccountHttp({
    displayName: 'Cartesia',
    baseUrl,
    headers,
  });
  return {
    origin: new URL(baseUrl).origin,
    // "The URL requires the same Authorization header": https://docs.cartesia.ai/api-reference/voices/get
    sampleHeaders: headers,
    async list(signal) {
      const voices: OfferedVoice[] = [];
      let last: string | null = null;
      for (let asked = 0; asked < MAX_VOICES; asked += PAGE_SIZE) {
        const query = {
          limit: String(PAGE_SIZE),
          'expand[]': 'preview_file_url',
          ...(last !== null && { starting_after: last }),
        };
        const page: z.output<typeof pageSchema> = await http.get('voices', query, pageSchema, signal);
        for (const voice of page.data) voices.push(...offered(voice));
        last = withId.safeParse(page.data.at(-1)).data?.id ?? null;
        if (!page.has_more || last === null) break;
      }
      return voices;
    },
    cloning: {
      advice: 'About ten seconds of one person who speaks clearly, without noise or music.',
      languages: LANGUAGES,
      async clone(wanted, signal) {
        const { path, filename, contentType } = wanted.recording;
        const form = new FormData();
        form.set('name', wanted.name);
        form.set('description', describeCopy(wanted));
        form.set('language', wanted.language);
        form.set('enhance', String(wanted.enhance));
        form.set('clip', await openAsBlob(path, { type: contentType }), filename);
        return (await http.post('voices/clone', form, withId, signal)).id;
      },
      remove: (voice, signal) => http.delete(`voices/${encodeURIComponent(voice)}`, signal),
    },
    close: () => http.close(),
  };
}

/** @returns nothing for what is not understood, and for the voices of organizations. */
function offered(entry: unknown): OfferedVoice[] {
  const { data: voice } = voiceSchema.safeParse(entry);
  if (voice === undefined || isCopyOfOrganization(voice.description)) return [];
  return [
    {
      providerVoiceId: voice.id,
      displayName: voiceName(voice.name, voice.id),
      gender: GENDERS[voice.gender ?? ''] ?? null,
      languages: languagesOf([voice.language]),
      country: null,
      description: voiceDescription(voice.description),
      sampleUrl: voice.preview_file_url ?? null,
    },
  ];
}
