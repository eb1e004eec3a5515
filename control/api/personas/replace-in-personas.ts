import { draftsNaming, personasNaming, type ReplaceInPersonas } from '../../catalogue/uses.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { changeRow } from '../../store/change-row.ts';
import type { Store } from '../../store/open.ts';
import type { PersonaRow } from '../../store/tables.ts';
import { attachedTo, contentOf } from './persona-content.ts';
import { findPersona } from './publish-persona.ts';
import { changesOf, draftOf, UNKNOWN_AUTHOR, publication } from './version-rows.ts';

/** As when a persona gets another voice or avatar: these belonged to the one before. */
const OWN_FIELDS = {
  llm_id: {},
  voice_id: { voice_generation_options_json: null },
  avatar_id: { avatar_model: null },
} as const;
const IN_DRAFTS = {
  llm_id: (to: string) => ({ llmId: to, brainType: undefined }),
  voice_id: (to: string) => ({ voiceId: to, voiceGenerationOptions: null }),
  avatar_id: (to: string) => ({ avatarId: to, avatarModel: null }),
} as const;
const NAMES = { llm_id: 'LLM', voice_id: 'voice', avatar_id: 'avatar' } as const;

/** Gives personas another LLM, voice or avatar. Each gets a version, so that what has changed is seen and taken back. */
export function replaceInPersonas(control: { readonly store: Store; readonly now: () => number }): ReplaceInPersonas {
  const { store } = control;
  return async (organizationId, field, { from, to }) => {
    await replaceInDrafts(control, organizationId, field, { from, to });
    for (const { id } of await personasNaming(store, organizationId, field, from))
      await changeRow(
        control,
        'personas',
        () => findPersona(control, organizationId, id),
        async (before, at) => {
          // Somebody was faster.
          if (before[field] !== from) return { after: { ...before, updated_at: at } };
          const changed = { ...before, ...OWN_FIELDS[field], [field]: to, updated_at: at };
          const after: PersonaRow = { ...changed, version: before.version + 1 };
          const attached = await attachedTo(store, id);
          const version = (row: PersonaRow, note: string) => ({
            persona_id: id,
            number: row.version,
            content_json: JSON.stringify(contentOf(row, attached)),
            note,
            origin: 'api' as const,
            ...UNKNOWN_AUTHOR,
            created_at: row.updated_at,
          });
          const note = `Another ${NAMES[field]}, in the place of one that was deleted`;
          return { after, also: publication(store, version(before, ''), version(after, note)) };
        },
      );
  };
}

/** A draft that somebody saves meanwhile stays as they saved it. */
async function replaceInDrafts(
  { store, now }: { readonly store: Store; readonly now: () => number },
  ...[organizationId, field, { from, to }]: Parameters<ReplaceInPersonas>
): Promise<void> {
  for (const { id } of await draftsNaming(store, organizationId, field, from)) {
    const draft = await draftOf(store, id);
    if (draft === null) continue;
    await store.db
      .updateTable('persona_drafts')
      .set({
        changes_json: JSON.stringify({ ...changesOf(draft), ...IN_DRAFTS[field](to) }),
        updated_at: isoTime(now()),
      })
      .where('persona_id', '=', id)
      .where('updated_at', '=', draft.updated_at)
      .execute();
  }
}
