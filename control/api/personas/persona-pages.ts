import { contains, type Page } from '../../http/paging.ts';
import type { Store } from '../../store/open.ts';
import { prepared } from '../../store/prepared.ts';
import type { PersonaRow } from '../../store/tables.ts';

/** What a list shows of a persona: without its prompts, which may be long. */
const SUMMARY = [
  'id',
  'organization_id',
  'name',
  'description',
  'persona_preset',
  'avatar_id',
  'voice_id',
  'llm_id',
  'voice_speed',
  'voice_generation_options_json',
  'language_code',
  'created_at',
  'updated_at',
] as const;
export type PersonaSummaryRow = Pick<PersonaRow, (typeof SUMMARY)[number]>;

/**
 * How many rows of an index may be skipped on the calling thread: 1000 take about 0.1 ms. Longer skips, and every
 * search, run on the store's own thread.
 */
const NEARBY_ROWS = 1000;

const nearbyCount = prepared<{ organizationId: string }, { total: number }>((db, value) =>
  db
    .selectFrom((personas) =>
      personas
        .selectFrom('personas')
        .select('id')
        .where('organization_id', '=', value('organizationId'))
        .limit(NEARBY_ROWS + 1)
        .as('nearby'),
    )
    .select((eb) => eb.fn.countAll<number>().as('total')),
);

const nearbyPage = prepared<{ organizationId: string; perPage: number; offset: number }, PersonaSummaryRow>(
  (db, value) =>
    db
      .selectFrom('personas')
      .select(SUMMARY)
      .where('organization_id', '=', value('organizationId'))
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(value('perPage'))
      .offset(value('offset')),
);

/**
 * @param search part of the name, or null for all. @returns the personas of one page, newest first, and how many there
 * are.
 */
export async function pageOfPersonas(
  store: Store,
  organizationId: string,
  { page, perPage }: Page,
  search: string | null,
): Promise<{ total: number; rows: PersonaSummaryRow[] }> {
  const offset = (page - 1) * perPage;
  if (search === null && offset + perPage <= NEARBY_ROWS) {
    const [count, rows] = await Promise.all([
      store.findOne(nearbyCount(store, { organizationId })),
      store.find(nearbyPage(store, { organizationId, perPage, offset })),
    ]);
    if (count!.total <= NEARBY_ROWS) return { total: count!.total, rows };
  }
  let found = store.db.selectFrom('personas').where('organization_id', '=', organizationId);
  if (search !== null) found = found.where(contains('name', search));
  const [{ total }, rows] = await Promise.all([
    found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    found.select(SUMMARY).orderBy('created_at', 'desc').orderBy('id').limit(perPage).offset(offset).execute(),
  ]);
  return { total: Number(total), rows };
}
