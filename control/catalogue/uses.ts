import type { Vault } from '../access/vault.ts';
import { HttpError, type Use } from '../errors/http-error.ts';
import type { Store } from '../store/open.ts';

/** What uses a resource: whoever deletes it learns of it. Only what belongs to the same organization can. */

/** A field of personas that names exactly one resource. */
type NamingField = 'llm_id' | 'voice_id' | 'avatar_id';

/** Gives the personas of an organization, and the drafts, that name one of these another one, which was checked to fit. */
export type ReplaceInPersonas = (
  organizationId: string,
  field: NamingField,
  ids: { readonly from: string; readonly to: string },
) => Promise<void>;

export async function personasNaming(
  { db }: Store,
  organizationId: string,
  field: NamingField,
  id: string,
): Promise<Use[]> {
  const rows = await db
    .selectFrom('personas')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where(field, '=', id)
    .orderBy('name')
    .execute();
  return rows.map(asPersona);
}

/**
 * @returns the personas that name it, the drafts that would, and the older versions that share links and widgets give to
 * visitors. Other versions may name it: who goes back to one has what is live in its place.
 */
export async function usesInPersonas(
  store: Store,
  organizationId: string,
  field: NamingField,
  id: string,
): Promise<Use[]> {
  const found = await Promise.all([
    personasNaming(store, organizationId, field, id),
    draftsNaming(store, organizationId, field, id),
    sharedVersionsNaming(store, organizationId, field, id),
  ]);
  return found.flat();
}

/** The fields as drafts and versions have them. */
const CONTENT_FIELD = { llm_id: 'llmId', voice_id: 'voiceId', avatar_id: 'avatarId' } as const;

function namesIt(json: string, field: NamingField, id: string): boolean {
  const content = JSON.parse(json) as Partial<Record<'llmId' | 'brainType' | 'voiceId' | 'avatarId', string | null>>;
  return content[CONTENT_FIELD[field]] === id || (field === 'llm_id' && content.brainType === id);
}

export async function draftsNaming(
  { db }: Store,
  organizationId: string,
  field: NamingField,
  id: string,
): Promise<Use[]> {
  const rows = await db
    .selectFrom('persona_drafts')
    .innerJoin('personas', 'personas.id', 'persona_drafts.persona_id')
    .select(['personas.id', 'personas.name', 'changes_json'])
    .where('organization_id', '=', organizationId)
    .where('changes_json', 'like', `%${id}%`)
    .orderBy('name')
    .execute();
  return rows
    .filter(({ changes_json: changes }) => namesIt(changes, field, id))
    .map((row): Use => ({ kind: 'draft', id: row.id, name: row.name }));
}

async function sharedVersionsNaming(
  { db }: Store,
  organizationId: string,
  field: NamingField,
  id: string,
): Promise<Use[]> {
  const ofOrganization = db.selectFrom('personas').where('personas.organization_id', '=', organizationId);
  const [links, widgets] = await Promise.all([
    ofOrganization
      .innerJoin('share_links', 'share_links.persona_id', 'personas.id')
      .select(['personas.id', 'versions_json'])
      .where('enabled', '=', 1)
      .where('versions_json', 'is not', null)
      .execute(),
    ofOrganization
      .select(['personas.id', 'widget_config_json'])
      .where('widget_config_json', 'like', '%"versions"%')
      .execute(),
  ]);
  type Shares = readonly { readonly version: number }[] | null;
  const shares: [personaId: string, shares: Shares][] = [
    ...links.map((row): [string, Shares] => [row.id, JSON.parse(row.versions_json!) as Shares]),
    ...widgets.map((row): [string, Shares] => [
      row.id,
      (JSON.parse(row.widget_config_json) as { versions?: Shares }).versions ?? null,
    ]),
  ];
  const all = shares.flatMap(([personaId, some]) => (some ?? []).map(({ version }) => ({ personaId, version })));
  const shared = new Set(all.map(({ personaId, version }) => `${personaId} ${version}`));
  if (shared.size === 0) return [];
  const rows = await ofOrganization
    .innerJoin('persona_versions', 'persona_versions.persona_id', 'personas.id')
    .select(['personas.id', 'personas.name', 'number', 'content_json'])
    .where('personas.id', 'in', [...new Set(all.map(({ personaId }) => personaId))])
    // A persona may have thousands of versions: those that are shared, and could name it, are few.
    .where('number', 'in', [...new Set(all.map(({ version }) => version))])
    .where('content_json', 'like', `%${id}%`)
    // What is live was found already.
    .whereRef('number', '!=', 'personas.version')
    .orderBy('number')
    .execute();
  return rows
    .filter((row) => shared.has(`${row.id} ${row.number}`) && namesIt(row.content_json, field, id))
    .map((row): Use => ({ kind: 'version', id: row.id, name: `${row.name}, number ${row.number}` }));
}

/** @returns whether a persona with zero data retention names it. */
export async function isUsedWithoutRetention(
  { db }: Store,
  organizationId: string,
  field: NamingField,
  id: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('personas')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where(field, '=', id)
    .where('zero_data_retention', '=', 1)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function personasWithTool({ db }: Store, toolId: string): Promise<Use[]> {
  const rows = await db
    .selectFrom('persona_tools')
    .innerJoin('personas', 'personas.id', 'persona_tools.persona_id')
    .select(['personas.id', 'personas.name'])
    .where('tool_id', '=', toolId)
    .orderBy('name')
    .execute();
  return rows.map(asPersona);
}

export async function personasWithMcpServer({ db }: Store, serverId: string): Promise<Use[]> {
  const rows = await db
    .selectFrom('persona_mcp_servers')
    .innerJoin('personas', 'personas.id', 'persona_mcp_servers.persona_id')
    .select(['personas.id', 'personas.name'])
    .where('mcp_server_id', '=', serverId)
    .orderBy('name')
    .execute();
  return rows.map(asPersona);
}

/** @returns tools that search this knowledge group, and the personas that have them. */
export async function searchersOf(store: Store, vault: Vault, organizationId: string, groupId: string): Promise<Use[]> {
  const tools = await store.db
    .selectFrom('tools')
    .select(['id', 'name', 'config_cipher'])
    .where('organization_id', '=', organizationId)
    .where('type', '=', 'SERVER_RAG')
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .execute();
  const searching = tools.filter(({ id, config_cipher: cipher }) => {
    if (!vault.opens(cipher, id)) return false;
    const { documentFolderIds = [] } = JSON.parse(vault.open(cipher, id)) as { documentFolderIds?: string[] };
    return documentFolderIds.includes(groupId);
  });
  const personas = await Promise.all(searching.map(({ id }) => personasWithTool(store, id)));
  const byId = new Map(personas.flat().map((use) => [use.id, use]));
  return [...searching.map(({ id, name }): Use => ({ kind: 'tool', id, name })), ...byId.values()];
}

/** @throws HttpError 409 that names them, unless there are none. */
export function refuseIfUsed(uses: readonly Use[]): void {
  if (uses.length > 0) throw new HttpError('inUse', { message: sentenceOf(uses), usedBy: uses });
}

/** Names that a sentence holds. */
const MAX_NAMED = 5;
const LIST = new Intl.ListFormat('en-GB');

function sentenceOf(uses: readonly Use[]): string {
  const names = uses.slice(0, MAX_NAMED).map(({ kind, name }) => `the ${kind} “${name}”`);
  const others = uses.length - names.length;
  return `It is used by ${LIST.format([...names, ...(others > 0 ? [`${others} more`] : [])])}.`;
}

const asPersona = ({ id, name }: { id: string; name: string }): Use => ({ kind: 'persona', id, name });
