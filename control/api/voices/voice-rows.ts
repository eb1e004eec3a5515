import type { StockVoice } from '../../catalogue/catalogue.ts';
import { downloadUrl } from '../../http/file-urls.ts';
import type { VoiceRow } from '../../store/tables.ts';
import type { VoiceResponse } from './voice-schema.ts';
import type { UrlSigner } from '../../access/signed-urls.ts';
import type { References } from '../../catalogue/references.ts';
import type { VoiceSamples } from './voice-samples.ts';

/** What is taken of the service here. */
interface VoiceRowsParts {
  readonly signer: UrlSigner;
  readonly references: References;
  readonly samples: VoiceSamples | null;
}

/** When the built-in voices and avatars came into being, as far as lists are concerned: before everything else. */
export const STOCK_TIME = '2026-01-01T00:00:00.000Z';

export function stockVoiceOf(
  control: Pick<VoiceRowsParts, 'signer' | 'samples'>,
  baseUrl: string,
  voice: StockVoice,
): VoiceResponse {
  const sampleUrl = sampleUrlOf(control, baseUrl, voice.id, voice.displayName);
  return {
    id: voice.id,
    displayName: voice.displayName,
    description: voice.description,
    provider: voice.provider,
    providerVoiceId: voice.providerVoiceId,
    providerModelId: voice.providerModelId,
    sampleUrl,
    previewSampleUrl: sampleUrl,
    gender: voice.gender,
    languages: voice.ownLanguages === 'any' ? null : [...voice.ownLanguages],
    country: voice.country,
    displayTags: [...voice.displayTags],
    isZdr: voice.isZdr,
    createdByOrganizationId: null,
    createdAt: STOCK_TIME,
    updatedAt: STOCK_TIME,
  };
}

export function voiceOf(control: VoiceRowsParts, baseUrl: string, row: VoiceRow): VoiceResponse {
  const sampleUrl = sampleUrlOf(control, baseUrl, row.id, row.display_name);
  return {
    id: row.id,
    displayName: row.display_name,
    description: row.description,
    provider: row.provider,
    providerVoiceId: row.provider_voice_id,
    providerModelId: row.provider_model_id,
    sampleUrl,
    previewSampleUrl: sampleUrl,
    gender: row.gender as VoiceResponse['gender'],
    languages: [row.language],
    country: row.country,
    displayTags: JSON.parse(row.display_tags_json),
    isZdr: control.references.isZdrVoice(row),
    createdByOrganizationId: row.organization_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** @returns an address that works for an hour; null if nothing can be spoken outside of sessions. */
function sampleUrlOf(
  control: Pick<VoiceRowsParts, 'signer' | 'samples'>,
  baseUrl: string,
  id: string,
  displayName: string,
): string | null {
  return control.samples === null ? null : downloadUrl(control.signer, baseUrl, 'voice-samples', id, displayName, null);
}
