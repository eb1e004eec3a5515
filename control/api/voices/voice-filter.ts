import type { StockVoice } from '../../catalogue/catalogue.ts';
import { contains } from '../../http/paging.ts';
import type { Store } from '../../store/open.ts';
import type { VoiceFilter } from './voice-schema.ts';

/** The query for an organization's own voices that fit. */
export function ownVoices(store: Store, organizationId: string, { search, language, gender, provider }: VoiceFilter) {
  let rows = store.db.selectFrom('voices').where('organization_id', '=', organizationId);
  if (search !== undefined) rows = rows.where(contains('display_name', search));
  if (language !== undefined) rows = rows.where('language', '=', language);
  if (gender !== undefined) rows = rows.where('gender', '=', gender);
  if (provider !== undefined) rows = rows.where('provider', '=', provider);
  return rows;
}

/** @returns whether a built-in voice fits. */
export function isWanted(voice: StockVoice, { search, language, gender, provider }: VoiceFilter): boolean {
  return (
    (search === undefined || voice.displayName.toLowerCase().includes(search.toLowerCase())) &&
    (language === undefined || voice.ownLanguages === 'any' || voice.ownLanguages.includes(language)) &&
    (gender === undefined || voice.gender === gender) &&
    (provider === undefined || voice.provider === provider)
  );
}
