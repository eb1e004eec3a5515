import type { SessionConfig } from '../../../actors/session-config.ts';

/**
 * What users of this session are likely to say by name: the persona, what its tools are about, and the titles of what
 * it can search. The
 * organization's own terms come before the titles. The surest first.
 */
export function sessionKeyTerms({
  personaName,
  meeting,
  tools,
  knowledgeTitles = [],
  transcription,
}: Pick<SessionConfig, 'personaName' | 'meeting' | 'tools' | 'knowledgeTitles' | 'transcription'>): string[] {
  const ofOrganization = transcription?.keyTerms ?? [];
  const spoken = tools.filter(({ kind }) => kind !== 'system').map(({ name }) => asWords(name));
  return [
    ...new Set([personaName.trim(), spokenName(meeting), ...spoken, ...ofOrganization, ...knowledgeTitles]),
  ].filter((term) => term !== '');
}

/** What the others of a meeting call the persona: nobody says "(AI)". */
function spokenName(meeting: SessionConfig['meeting']): string {
  return meeting?.displayName.replace(/\s*\(AI\)\s*$/i, '').trim() ?? '';
}

/** @returns 'check_orderStatus' as it is said: 'check order status'. */
function asWords(name: string): string {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}
