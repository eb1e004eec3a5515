import type { Store } from '../../store/open.ts';
import { prepared } from '../../store/prepared.ts';
import type { PersonaDraftRow, PersonaRow, PersonaVersionRow } from '../../store/tables.ts';
import { attachedTo, contentOf } from './persona-content.ts';
import type { PersonaContent, PersonaInput } from './persona-schema.ts';

/** Older versions of a persona are forgotten: a client that writes its prompt every minute must not fill the disk. */
const KEPT_VERSIONS = 500;
/** Where a session or a route asks for the draft instead of a version. */
export const DRAFT = 'draft';
/** The draft, in the column of the version of a session. */
const DRAFT_NUMBER = 0;

/** Who made a version live that nobody has noted. */
export const UNKNOWN_AUTHOR = { api_key_id: null, user_id: null } as const;

export type VersionNumber = number | typeof DRAFT;

/** Of the column `persona_version`. */
export function versionColumn(version: VersionNumber | null): number | null {
  return version === DRAFT ? DRAFT_NUMBER : version;
}

export function versionOfColumn(column: number | null): VersionNumber | null {
  return column === DRAFT_NUMBER ? DRAFT : column;
}

const versionByNumber = prepared<{ personaId: string; number: number }, PersonaVersionRow>((db, value) =>
  db
    .selectFrom('persona_versions')
    .selectAll()
    .where('persona_id', '=', value('personaId'))
    .where('number', '=', value('number')),
);

const draftByPersona = prepared<{ personaId: string }, PersonaDraftRow>((db, value) =>
  db.selectFrom('persona_drafts').selectAll().where('persona_id', '=', value('personaId')),
);

export async function draftOf(store: Store, personaId: string): Promise<PersonaDraftRow | null> {
  return (await store.findOne(draftByPersona(store, { personaId }))) ?? null;
}

export function changesOf(draft: PersonaDraftRow | null): PersonaInput {
  return draft === null ? {} : (JSON.parse(draft.changes_json) as PersonaInput);
}

/** Null: there is none. What is live has a row only since its next change, if an older Parley has made it. */
export async function versionOf(store: Store, persona: PersonaRow, number: number): Promise<PersonaVersionRow | null> {
  const found = await store.findOne(versionByNumber(store, { personaId: persona.id, number }));
  if (found !== undefined) return found;
  return number === persona.version ? liveVersion(store, persona) : null;
}

/** What is live, as the version that it is. */
export async function liveVersion(store: Store, persona: PersonaRow): Promise<PersonaVersionRow> {
  return {
    persona_id: persona.id,
    number: persona.version,
    content_json: JSON.stringify(contentOf(persona, await attachedTo(store, persona.id))),
    note: '',
    origin: 'api',
    ...UNKNOWN_AUTHOR,
    created_at: persona.updated_at,
  };
}

export function versionContent(row: Pick<PersonaVersionRow, 'content_json'>): PersonaContent {
  // Versions of before there were variables and grades have none.
  const { variables = [], grading = null, ...content } = JSON.parse(row.content_json) as Partial<PersonaContent>;
  return { ...content, variables, grading } as PersonaContent;
}

/** Statements that store a new version, and the one before it if nobody has yet. */
export function publication(store: Store, before: PersonaVersionRow | null, version: PersonaVersionRow) {
  const insert = (row: PersonaVersionRow) =>
    store.db
      .insertInto('persona_versions')
      .values(row)
      .onConflict((conflict) => conflict.columns(['persona_id', 'number']).doNothing());
  return [
    ...(before === null ? [] : [insert(before)]),
    insert(version),
    store.db
      .deleteFrom('persona_versions')
      .where('persona_id', '=', version.persona_id)
      .where('number', '<=', version.number - KEPT_VERSIONS),
  ];
}
