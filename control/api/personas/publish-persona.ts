import type { Compilable } from 'kysely';
import type { DirectorNotes } from '../../../actors/session-config.ts';
import type { AvatarModel } from '../../catalogue/avatar-models.ts';
import { HttpError, invalid } from '../../errors/http-error.ts';
import { changeRow } from '../../store/change-row.ts';
import type { PersonaRow, PersonaVersionRow } from '../../store/tables.ts';
import { checkReferences, sentField, styleProblem } from './persona-rules.ts';
import { attachments, checkMcpServers, checkTools, mcpAttachments } from './persona-tools.ts';
import { attachedAfter, attachedTo, contentOf, isSameContent } from './persona-content.ts';
import { newPersona, personaById, toolIdsOf, withInput } from './persona-rows.ts';
import type { PersonaInput } from './persona-schema.ts';
import { checkSharedVersions } from './shared-versions.ts';
import { UNKNOWN_AUTHOR, publication } from './version-rows.ts';
import type { Caller } from '../../access/caller.ts';
import { personaErrors } from './persona-errors.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { References } from '../../catalogue/references.ts';
import type { Store } from '../../store/open.ts';

/** What is taken of the service here. */
export interface PublishParts {
  readonly store: Store;
  readonly references: References;
  readonly catalogue: Catalogue;
  readonly now: () => number;
}

export interface Publication {
  readonly input: PersonaInput;
  /** Why, for whoever reads the list of versions. */
  readonly note: string;
  readonly origin: PersonaVersionRow['origin'];
  /** The LLM that is no new assignment. @defaultValue that of the persona */
  readonly llmBefore?: string | null;
  /** What happens together with it. @defaultValue nothing */
  readonly also?: readonly Compilable[];
}

/** A new persona, live at once. @throws HttpError as `changedPersona` does. */
export async function createPersonaRow(
  control: PublishParts,
  caller: Caller,
  input: PersonaInput,
): Promise<PersonaRow> {
  const { store } = control;
  const fresh = newPersona(control, caller.organizationId);
  await checkSharedVersions(store, fresh, input.widgetConfig?.versions, 'widgetConfig.versions');
  const { row, toolIds } = await changedPersona(control, caller, fresh, null, input, fresh.created_at);
  const attached = attachedAfter({ toolIds: [], mcpServerIds: [] }, input);
  await store.atomically([
    store.db.insertInto('personas').values(row),
    ...attachments(control, row.id, toolIds ?? []),
    ...mcpAttachments(control, row.id, input.mcpServerIds),
    ...publication(store, null, {
      persona_id: row.id,
      number: row.version,
      content_json: JSON.stringify(contentOf(row, attached)),
      note: '',
      origin: 'api',
      ...publishedBy(caller),
      created_at: row.created_at,
    }),
  ]);
  return row;
}

/**
 * Makes a change live, as the next version. A change that changes nothing of a conversation is none.
 * @param wanted may be called again, when the persona has changed meanwhile.
 * @throws HttpError 404, what `wanted` throws, and as `changedPersona` does.
 */
export async function publishPersona(
  control: PublishParts,
  caller: Caller,
  id: string,
  wanted: (before: PersonaRow) => Promise<Publication>,
): Promise<PersonaRow> {
  const { store } = control;
  return changeRow(
    control,
    'personas',
    () => findPersona(control, caller.organizationId, id),
    async (before, at) => {
      const { input, note, origin, llmBefore = before.llm_id, also = [] } = await wanted(before);
      await checkSharedVersions(store, before, input.widgetConfig?.versions, 'widgetConfig.versions');
      const { row, toolIds } = await changedPersona(control, caller, before, llmBefore, input, at);
      const attached = await attachedTo(store, id);
      const [was, is] = [contentOf(before, attached), contentOf(row, attachedAfter(attached, input))];
      const detach = store.db.deleteFrom('persona_tools').where('persona_id', '=', id);
      const changes = [
        ...(toolIds === null ? [] : [detach, ...attachments(control, id, toolIds)]),
        ...mcpAttachments(control, id, input.mcpServerIds),
        ...also,
      ];
      if (isSameContent(was, is)) return { after: row, also: changes };
      const after = { ...row, version: before.version + 1 };
      const version = (of: PersonaRow, content: object) => ({
        persona_id: id,
        number: of.version,
        content_json: JSON.stringify(content),
        created_at: of.updated_at,
      });
      const versions = publication(
        store,
        { ...version(before, was), note: '', origin: 'api', ...UNKNOWN_AUTHOR },
        { ...version(after, is), note, origin, ...publishedBy(caller) },
      );
      return { after, also: [...changes, ...versions] };
    },
  );
}

function publishedBy({ apiKeyId, userId }: Caller): Pick<PersonaVersionRow, 'api_key_id' | 'user_id'> {
  return { api_key_id: apiKeyId, user_id: userId };
}

/** @throws HttpError 404. */
export async function findPersona(
  { store }: Pick<PublishParts, 'store'>,
  organizationId: string,
  id: string,
): Promise<PersonaRow> {
  const row = await store.findOne(personaById(store, { id, organizationId }));
  if (row === undefined) throw new HttpError(personaErrors.personaNotFound);
  return row;
}

/**
 * What an input makes of a persona. @param llmBefore what it had: repeating a deprecated LLM is no new assignment.
 * @throws HttpError 400 naming the fields, 403 for entitlements.
 */
export async function changedPersona(
  control: Pick<PublishParts, 'references'>,
  caller: Caller,
  before: PersonaRow,
  llmBefore: string | null,
  input: PersonaInput,
  at: string,
): Promise<{ row: PersonaRow; toolIds: string[] | null }> {
  const { references } = control;
  const owner = caller.organizationId;
  const row = withInput(before, input, at);
  const toolIds = toolIdsOf(input);
  const { avatar, llm } = await checkReferences(
    references,
    caller,
    {
      avatarId: await stillThere(input.avatarId !== undefined, row.avatar_id, (id) => references.avatar(owner, id)),
      avatarModel: input.avatarModel ?? null,
      voiceId: await stillThere(input.voiceId !== undefined, row.voice_id, (id) => references.voice(owner, id)),
      llmId: await stillThere(input.llmId !== undefined || input.brainType !== undefined, row.llm_id, (id) =>
        references.llm(owner, id),
      ),
      voiceGenerationOptions:
        row.voice_generation_options_json === null ? null : JSON.parse(row.voice_generation_options_json),
      zeroDataRetention: row.zero_data_retention === 1,
    },
    { llmBefore, named: (problem) => ({ ...problem, path: sentField(problem.path, input) }) },
  );
  if (toolIds !== null)
    await checkTools(control, caller.organizationId, toolIds, input.toolIds === undefined ? 'tools' : 'toolIds');
  if (input.mcpServerIds !== undefined)
    await checkMcpServers(control, caller.organizationId, input.mcpServerIds, 'mcpServerIds');
  // The new avatar may not support the model of the old one.
  const keepsModel =
    row.avatar_model === null || avatar === null || (avatar.models as readonly string[]).includes(row.avatar_model);
  const avatarModel = keepsModel ? (row.avatar_model as AvatarModel | null) : null;
  const rendered = avatarModel ?? avatar?.models[0];
  if (row.director_notes_json !== null && rendered !== undefined) {
    const style = styleProblem(
      JSON.parse(row.director_notes_json) as DirectorNotes,
      rendered,
      llm ?? references.defaultLlm(),
    );
    if (style !== null) throw invalid([style]);
  }
  return { row: { ...row, avatar_model: avatarModel }, toolIds };
}

/** Stored references may have been deleted since. Only what the request names must exist. */
async function stillThere(
  isNamed: boolean,
  id: string | null,
  find: (id: string) => Promise<unknown>,
): Promise<string | null> {
  return id !== null && !isNamed && (await find(id)) === null ? null : id;
}
