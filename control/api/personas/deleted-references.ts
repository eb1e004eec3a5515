import type { References } from '../../catalogue/references.ts';
import type { PersonaRow } from '../../store/tables.ts';
import type { PersonaContent } from './persona-schema.ts';

/**
 * A version as it can be used today. In the place of an LLM, a voice or an avatar that was deleted since, it has that of
 * what is live; tools that were deleted are left out.
 */
export async function replaceDeletedReferences(
  references: References,
  live: PersonaRow,
  content: PersonaContent,
): Promise<PersonaContent> {
  const owner = live.organization_id;
  const isGone = async (id: string | null, find: (id: string) => Promise<unknown>): Promise<boolean> =>
    id !== null && (await find(id)) === null;
  const [llm, voice, avatar, tools, servers] = await Promise.all([
    isGone(content.llmId, (id) => references.llm(owner, id)),
    isGone(content.voiceId, (id) => references.voice(owner, id)),
    isGone(content.avatarId, (id) => references.avatar(owner, id)),
    references.tools(owner, content.toolIds),
    references.mcpServers(owner, content.mcpServerIds),
  ]);
  const among = (ids: readonly string[], rows: readonly { readonly id: string }[]) =>
    ids.filter((id) => rows.some((row) => row.id === id));
  return {
    ...content,
    ...(llm && { llmId: live.llm_id }),
    // The options of one voice may not be those of another, nor the models of avatars.
    ...(voice && { voiceId: live.voice_id, voiceGenerationOptions: null }),
    ...(avatar && { avatarId: live.avatar_id, avatarModel: null }),
    toolIds: among(content.toolIds, tools),
    mcpServerIds: among(content.mcpServerIds, servers),
  };
}

/** What was put in the place of something, for the note of a version. @returns `''`: nothing was. */
export function replacementNote(wanted: PersonaContent, used: PersonaContent): string {
  const replaced = [
    ...(wanted.llmId === used.llmId ? [] : ['LLM']),
    ...(wanted.voiceId === used.voiceId ? [] : ['voice']),
    ...(wanted.avatarId === used.avatarId ? [] : ['avatar']),
  ];
  return replaced.length === 0 ? '' : `; its ${replaced.join(' and ')} was deleted, so the one of before stays`;
}
