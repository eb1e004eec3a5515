import type { SessionConfig } from '../../actors/session-config.ts';

/**
 * What users of this session are likely to say by name: the persona, what its tools are about, and the titles of what
 * it can search. The
 * organization's own terms come before the titles. The surest first.
 */
export function sessionKeyTerms({
  personaName,
  tools,
  knowledgeTitles = [],
  transcription,
}: Pick<SessionConfig, 'personaName' | 'tools' | 'knowledgeTitles' | 'transcription'>): string[] {
  const ofOrganization = transcription?.keyTerms ?? [];
  const spoken = tools.filter(({ kind }) => kind !== 'system').map(({ name }) => asWords(name));
  return [...new Set([personaName.trim(), ...spoken, ...ofOrganization, ...knowledgeTitles])].filter(
    (term) => term !== '',
  );
}

/** @returns 'check_orderStatus' as it is said: 'check order status'. */
function asWords(name: string): string {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}
