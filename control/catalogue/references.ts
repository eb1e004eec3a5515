import type { VoiceFamily, VoiceTuning } from '../../models/ports.ts';
import type { AvatarModel } from './avatar-models.ts';
import {
  type Catalogue,
  CLIENT_LLM,
  findStockLlm,
  type StockAvatar,
  type StockLlm,
  type StockVoice,
} from './catalogue.ts';
import { type Detail, detail } from '../errors/http-error.ts';
import type { Store } from '../store/open.ts';
import { prepared } from '../store/prepared.ts';
import type { AvatarRow, LlmRow, McpServerRow, ToolRow, VoiceRow } from '../store/tables.ts';

/** An avatar, voice or LLM that an organization can use: a built-in one, or one of its own rows. */
export type UsableAvatar = { readonly engineKey: string; readonly models: readonly AvatarModel[] } & (
  | { readonly stock: StockAvatar; readonly row: null }
  | { readonly stock: null; readonly row: AvatarRow }
);
export type UsableVoice = {
  readonly id: string;
  readonly family: VoiceFamily;
  readonly isZdr: boolean;
  readonly engineProvider: string;
  readonly providerVoiceId: string;
  readonly languages: readonly string[] | 'any';
  /** With what it speaks unless a persona wants something else. */
  readonly tuning: VoiceTuning;
} & ({ readonly stock: StockVoice; readonly row: null } | { readonly stock: null; readonly row: VoiceRow });
export type UsableLlm =
  | { readonly kind: 'client' }
  | { readonly kind: 'stock'; readonly stock: StockLlm }
  | { readonly kind: 'custom'; readonly row: LlmRow };

/** Whether the client generates the answers: the service asks no LLM. */
export function isOfClient(llm: UsableLlm): boolean {
  return llm.kind === 'client' || (llm.kind === 'custom' && llm.row.llm_format === 'none');
}

export type ReferenceKind = 'avatar' | 'voice' | 'llm' | 'tool' | 'MCP server' | 'persona' | 'knowledge group';
/** The field for an id of each kind. */
const FIELD_OF: Readonly<Record<ReferenceKind, string>> = {
  avatar: 'avatarId',
  voice: 'voiceId',
  llm: 'llmId',
  tool: 'toolIds',
  'MCP server': 'mcpServerIds',
  persona: 'personaId',
  'knowledge group': 'documentFolderIds',
};
const NAME_OF: Readonly<Record<ReferenceKind, string>> = {
  avatar: 'Avatar',
  voice: 'Voice',
  llm: 'LLM',
  tool: 'Tool',
  'MCP server': 'MCP server',
  persona: 'Persona',
  'knowledge group': 'Knowledge group',
};

type Owned = { readonly id: string; readonly organizationId: string };
const avatarById = prepared<Owned, AvatarRow>((db, value) =>
  db
    .selectFrom('avatars')
    .selectAll()
    .where('id', '=', value('id'))
    .where('organization_id', '=', value('organizationId'))
    .where('deleted_at', 'is', null),
);
const voiceById = prepared<Owned, VoiceRow>((db, value) =>
  db
    .selectFrom('voices')
    .selectAll()
    .where('id', '=', value('id'))
    .where('organization_id', '=', value('organizationId')),
);
const llmById = prepared<Owned, LlmRow>((db, value) =>
  db
    .selectFrom('llms')
    .selectAll()
    .where('id', '=', value('id'))
    .where('organization_id', '=', value('organizationId')),
);

/** Looks up ids of requests. Rows of other organizations are not found. */
export class References {
  readonly #store: Store;
  readonly #catalogue: Catalogue;

  constructor(store: Store, catalogue: Catalogue) {
    this.#store = store;
    this.#catalogue = catalogue;
  }

  async avatar(organizationId: string, id: string): Promise<UsableAvatar | null> {
    const stock = this.#catalogue.avatars.find((avatar) => avatar.id === id);
    if (stock !== undefined) return { stock, row: null, engineKey: stock.engineKey, models: stock.models };
    const row = await this.#store.findOne(avatarById(this.#store, { id, organizationId }));
    return row === undefined
      ? null
      : { stock: null, row, engineKey: row.engine_key, models: [row.model as AvatarModel] };
  }

  async voice(organizationId: string, id: string): Promise<UsableVoice | null> {
    const stock = this.#catalogue.voices.find((voice) => voice.id === id);
    if (stock !== undefined) return { ...stockVoice(stock), stock, row: null };
    const row = await this.#store.findOne(voiceById(this.#store, { id, organizationId }));
    if (row === undefined) return null;
    return {
      id: row.id,
      family: row.family as VoiceFamily,
      isZdr: this.isZdrVoice(row),
      engineProvider: row.engine_provider,
      providerVoiceId: row.provider_voice_id,
      // The languages of a cloned voice are unknown.
      languages: 'any',
      tuning: tuningOf(row.provider_model_id),
      stock: null,
      row,
    };
  }

  /** Whether the TTS service of this voice has zero data retention. */
  isZdrVoice(row: VoiceRow): boolean {
    const ofService = this.#catalogue.voices.filter((stock) => stock.engineProvider === row.engine_provider);
    return row.is_zdr === 1 || (ofService.length > 0 && ofService.every(({ isZdr }) => isZdr));
  }

  /** Whether the recognizers have zero data retention. */
  isZdrStt(): boolean {
    return this.#catalogue.isZdr.stt;
  }

  /** @param id an id, a symbolic or legacy name, or `CUSTOMER_CLIENT_V1`. */
  async llm(organizationId: string, id: string): Promise<UsableLlm | null> {
    if (id === CLIENT_LLM) return { kind: 'client' };
    const stock = findStockLlm(this.#catalogue, id);
    if (stock !== null) return { kind: 'stock', stock };
    const row = await this.#store.findOne(llmById(this.#store, { id, organizationId }));
    return row === undefined ? null : { kind: 'custom', row };
  }

  defaultVoice(): UsableVoice {
    const stock = this.#catalogue.voices.find((voice) => voice.id === this.#catalogue.defaultVoiceId)!;
    return { ...stockVoice(stock), stock, row: null };
  }

  defaultLlm(): UsableLlm {
    return { kind: 'stock', stock: this.#catalogue.llms.find((llm) => llm.id === this.#catalogue.defaultLlmId)! };
  }

  /** @returns the tools that exist, in the order of the ids. */
  async tools(organizationId: string, ids: readonly string[]): Promise<ToolRow[]> {
    if (ids.length === 0) return [];
    const rows = await this.#store.find(
      this.#store.db
        .selectFrom('tools')
        .selectAll()
        .where('id', 'in', [...ids])
        .where('organization_id', '=', organizationId)
        .where('deleted_at', 'is', null),
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
  }

  /** @returns the MCP servers that exist, in the order of the ids. */
  async mcpServers(organizationId: string, ids: readonly string[]): Promise<McpServerRow[]> {
    if (ids.length === 0) return [];
    const rows = await this.#store.find(
      this.#store.db
        .selectFrom('mcp_servers')
        .selectAll()
        .where('id', 'in', [...ids])
        .where('organization_id', '=', organizationId),
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
  }

  /** @returns the ids of knowledge groups that exist. */
  async groups(organizationId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.#store.find(
      this.#store.db
        .selectFrom('knowledge_groups')
        .select('id')
        .where('id', 'in', [...ids])
        .where('organization_id', '=', organizationId),
    );
    return new Set(rows.map((row) => row.id));
  }

  /** The error for an id that was not found. It says if the id belongs to another kind. */
  async explain(organizationId: string, path: string, wanted: ReferenceKind, id: string): Promise<Detail> {
    const found = await this.kindOf(organizationId, id);
    if (found === null || found === wanted) return detail(path, `${NAME_OF[wanted]} not found`);
    const field = path
      .split('.')
      .at(-1)!
      .replace(/^\d+$/, path.split('.').at(-2) ?? path);
    return detail(
      path,
      `${field} is the id of ${/^[aM]/.test(found) ? 'an' : 'a'} ${found}; pass it as ${FIELD_OF[found]}`,
    );
  }

  /** @returns which kind, of this organization or built in, has this id. */
  async kindOf(organizationId: string, id: string): Promise<ReferenceKind | null> {
    if (this.#catalogue.avatars.some((avatar) => avatar.id === id)) return 'avatar';
    if (this.#catalogue.voices.some((voice) => voice.id === id)) return 'voice';
    if (findStockLlm(this.#catalogue, id) !== null || id === CLIENT_LLM) return 'llm';
    const tables = [
      ['avatars', 'avatar'],
      ['voices', 'voice'],
      ['llms', 'llm'],
      ['tools', 'tool'],
      ['mcp_servers', 'MCP server'],
      ['personas', 'persona'],
      ['knowledge_groups', 'knowledge group'],
    ] as const;
    for (const [table, kind] of tables) {
      const row = await this.#store.findOne(
        this.#store.db
          .selectFrom(table)
          .select('id')
          .where('id', '=', id)
          .where('organization_id', '=', organizationId),
      );
      if (row !== undefined) return kind;
    }
    return null;
  }
}

function stockVoice({
  id,
  family,
  isZdr,
  engineProvider,
  providerVoiceId,
  providerModelId,
  languages,
}: StockVoice): Omit<UsableVoice, 'stock' | 'row'> {
  const tuning = tuningOf(providerModelId);
  return { id, family, isZdr, engineProvider, providerVoiceId, languages, tuning };
}

/** @param model of the voice's service; null: the one that the operator has set. */
export function tuningOf(model: string | null): VoiceTuning {
  return model === null ? {} : { model };
}
