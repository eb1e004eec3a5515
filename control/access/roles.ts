import { allows } from './allows.ts';

/** What a user may be, from the most to the least. */
export const ROLES = ['admin', 'editor', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** How far a role reaches into what a scope stands for. */
export type Reach = 'everything' | 'reading' | 'nothing';

const OF_EDITORS = { admin: 'everything', editor: 'everything', viewer: 'reading' } as const;
const OF_ADMINS = { admin: 'everything', editor: 'nothing', viewer: 'nothing' } as const;
/** What belongs to the whole service, with all its organizations, takes an API key. */
const OF_OPERATORS = { admin: 'nothing', editor: 'nothing', viewer: 'nothing' } as const;

/** Every scope of the service, decided for every role. */
export const REACHES: Readonly<Record<string, Readonly<Record<Role, Reach>>>> = {
  personas: OF_EDITORS,
  tools: OF_EDITORS,
  'mcp-servers': OF_EDITORS,
  voices: OF_EDITORS,
  avatars: OF_EDITORS,
  llms: OF_EDITORS,
  knowledge: OF_EDITORS,
  sessions: OF_EDITORS,
  // Whoever may look at a persona may also talk with it.
  'session-tokens': { admin: 'everything', editor: 'everything', viewer: 'everything' },
  webhooks: OF_EDITORS,
  'share-links': OF_EDITORS,
  'avatar-videos': OF_EDITORS,
  meetings: OF_EDITORS,
  organization: { admin: 'everything', editor: 'reading', viewer: 'reading' },
  'api-keys': OF_ADMINS,
  users: OF_ADMINS,
  operator: OF_OPERATORS,
  admin: OF_OPERATORS,
};

const SCOPES_OF = Object.fromEntries(ROLES.map((role) => [role, scopesWith(role)])) as Record<Role, readonly string[]>;

function scopesWith(role: Role): readonly string[] {
  return Object.entries(REACHES).flatMap(([scope, { [role]: reach }]) =>
    reach === 'everything' ? [scope] : reach === 'reading' ? [`${scope}:read`] : [],
  );
}

/** @returns scopes as API keys have them. */
export function scopesOfRole(role: Role): readonly string[] {
  return SCOPES_OF[role];
}

/** Whether a caller may make somebody this, and change somebody who is: nobody gives or takes more than they have. */
export function mayGrant(held: readonly string[], role: Role): boolean {
  return scopesOfRole(role).every((scope) => allows(held, scope.replace(/:read$/, ''), scope.endsWith(':read')));
}
