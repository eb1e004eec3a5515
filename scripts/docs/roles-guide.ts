import { REACHES, type Reach, type Role, ROLES } from '../../control/access/roles.ts';
import { RESOURCES } from '../../control/index.ts';

export const ROLES_GUIDE = new URL('../../docs/guides/users-and-roles.md', import.meta.url);

const WORDS: Readonly<Record<Reach, string>> = { everything: 'all', reading: 'reads', nothing: '–' };
/** The scope that belongs to no resource. */
const OF_ALL = 'The sessions of all organizations, and draining';

/** What each role may do with what, as the code says. */
export function rolesTable(): string {
  const rows = Object.entries(REACHES).map(([scope, reaches]) =>
    row(namesOf(scope), `\`${scope}\``, ...ROLES.map((role: Role) => WORDS[reaches[role]])),
  );
  return [row('What', 'Scope', ...ROLES), '|---|---|---|---|---|', ...rows].join('\n');
}

/** The headings of the API document whose routes ask for a scope. */
function namesOf(scope: string): string {
  const tags = RESOURCES.filter(({ scopes }) => scopes.some(({ name }) => name === scope)).map(({ tag }) => tag);
  if (scope === 'session-tokens') return 'Conversations: starting them';
  return tags.length === 0 ? OF_ALL : tags.join(', ');
}

function row(...cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
