import type { Store } from '../../store/open.ts';
import { prepared } from '../../store/prepared.ts';
import type { OrganizationTranscriptionRow } from '../../store/tables.ts';

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
  return row === undefined ? { languageCode: null, recognizer: null, keyTerms: [], updatedAt: null } : fromRow(row);
}

/** Fields that are undefined stay as they are, whatever other requests make of them. */
export async function saveTranscription(
  { db }: Store,
  organizationId: string,
  { languageCode, recognizer, keyTerms }: Partial<Transcription>,
  at: string,
): Promise<Transcription> {
  const keyTermsJson = keyTerms === undefined ? undefined : JSON.stringify(keyTerms);
  const row = await db
    .insertInto('organization_transcription')
    .values({
      organization_id: organizationId,
      language_code: languageCode ?? null,
      recognizer: recognizer ?? null,
      key_terms_json: keyTermsJson ?? '[]',
      updated_at: at,
    })
    .onConflict((conflict) =>
      conflict
        .column('organization_id')
        .doUpdateSet({ language_code: languageCode, recognizer, key_terms_json: keyTermsJson, updated_at: at }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row);
}

function fromRow(row: OrganizationTranscriptionRow): Transcription {
  return {
    languageCode: row.language_code,
    recognizer: row.recognizer,
    keyTerms: JSON.parse(row.key_terms_json),
    updatedAt: row.updated_at,
  };
}
