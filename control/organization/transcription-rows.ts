import type { Store } from '../store/open.ts';
import { prepared } from '../store/prepared.ts';
import type { OrganizationTranscriptionRow } from '../store/tables.ts';

/** How an organization wants speech to be recognized. */
export interface Transcription {
  /** ISO 639-1, or null: detect. */
  readonly languageCode: string | null;
  /** Id of a recognizer, or null: the operator's order. */
  readonly recognizer: string | null;
  readonly keyTerms: readonly string[];
  /** Null: never set. */
  readonly updatedAt: string | null;
}

const byOrganization = prepared<{ readonly organizationId: string }, OrganizationTranscriptionRow>((db, value) =>
  db.selectFrom('organization_transcription').selectAll().where('organization_id', '=', value('organizationId')),
);

export async function transcriptionOf(store: Store, organizationId: string): Promise<Transcription> {
  const row = await store.findOne(byOrganization(store, { organizationId }));
  return row === undefined
    ? { languageCode: null, recognizer: null, keyTerms: [], updatedAt: null }
    : {
        languageCode: row.language_code,
        recognizer: row.recognizer,
        keyTerms: JSON.parse(row.key_terms_json),
        updatedAt: row.updated_at,
      };
}

export async function saveTranscription(
  { db }: Store,
  organizationId: string,
  { languageCode, recognizer, keyTerms, updatedAt }: Transcription & { readonly updatedAt: string },
): Promise<void> {
  const values = {
    language_code: languageCode,
    recognizer,
    key_terms_json: JSON.stringify(keyTerms),
    updated_at: updatedAt,
  };
  await db
    .insertInto('organization_transcription')
    .values({ organization_id: organizationId, ...values })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(values))
    .execute();
}
