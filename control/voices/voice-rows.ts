import type { StockVoice } from '../catalogue.ts';
import type { VoiceRow } from '../store/tables.ts';
import type { VoiceResponse } from './voice-schema.ts';

/** When the built-in voices and avatars came into being, as far as lists are concerned: before everything else. */
export const STOCK_TIME = '2026-01-01T00:00:00.000Z';

export function stockVoiceOf(voice: StockVoice): VoiceResponse {
  return {
    id: voice.id,
    displayName: voice.displayName,
    description: voice.description,
    provider: voice.provider,
    providerVoiceId: voice.providerVoiceId,
    providerModelId: voice.providerModelId,
    sampleUrl: voice.sampleUrl,
    previewSampleUrl: voice.sampleUrl,
    gender: voice.gender,
    country: voice.country,
    displayTags: [...voice.displayTags],
    isZdr: voice.isZdr,
    createdByOrganizationId: null,
    createdAt: STOCK_TIME,
    updatedAt: STOCK_TIME,
  };
}

export function voiceOf(row: VoiceRow, isZdr: boolean): VoiceResponse {
  return {
    id: row.id,
    displayName: row.display_name,
    description: row.description,
    provider: row.provider,
    providerVoiceId: row.provider_voice_id,
    providerModelId: row.provider_model_id,
    sampleUrl: row.sample_url,
    previewSampleUrl: row.sample_url,
    gender: row.gender as VoiceResponse['gender'],
    country: row.country,
    displayTags: JSON.parse(row.display_tags_json),
    isZdr,
    createdByOrganizationId: row.organization_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
