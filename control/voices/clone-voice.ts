import { randomUUID } from 'node:crypto';
import type { Control } from '../context.ts';
import { isoTime } from '../../actors/kernel/iso-time.ts';
import { HttpError } from '../errors.ts';
import type { VoiceRow } from '../store/tables.ts';

export interface Sample {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** How long a provider may take to copy a voice. */
const CLONE_TIMEOUT_MS = 60_000;

/** @throws HttpError 403 when no configured provider copies voices. */
export async function cloneVoice(
  control: Control,
  organizationId: string,
  wanted: { name: string; description?: string | undefined; language: string; enhance: boolean; sample: Sample },
): Promise<VoiceRow> {
  const cloner = control.ports.voiceCloner;
  if (cloner === null)
    throw new HttpError('forbidden', {
      message: 'Voice cloning is not available: the configured speech provider does not support it.',
    });
  const made = await cloner.clone({
    name: wanted.name,
    language: wanted.language,
    enhance: wanted.enhance,
    audio: wanted.sample.bytes,
    contentType: wanted.sample.contentType,
    signal: AbortSignal.timeout(CLONE_TIMEOUT_MS),
  });
  const at = isoTime(control.now());
  const row: VoiceRow = {
    id: randomUUID(),
    organization_id: organizationId,
    display_name: wanted.name,
    description: wanted.description ?? null,
    provider: cloner.provider,
    engine_provider: cloner.engineProvider,
    family: cloner.family,
    provider_voice_id: made.providerVoiceId,
    provider_model_id: made.providerModelId,
    sample_url: null,
    gender: null,
    country: null,
    language: wanted.language,
    display_tags_json: '[]',
    is_zdr: 0,
    created_at: at,
    updated_at: at,
  };
  await control.store.db.insertInto('voices').values(row).execute();
  return row;
}
