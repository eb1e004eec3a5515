import type { MeResponse } from '../../../control/api/sign-ins/sign-in-schema.ts';

/** What only admins may change; the rest of what a role reaches is an editor's, too. */
const ADMINS_ONLY: readonly string[] = ['users', 'api-keys', 'organization'];
/** What no role reaches. */
const KEYS_ONLY: readonly string[] = ['operator', 'admin'];

export type Reach = 'change' | 'see';

/** @returns why the console's user may not change, or not even see, what a scope stands for. Null: they may. */
export function denialReason(who: MeResponse | null, scope: string, reach: Reach): string | null {
  if (who === null || allows(who.scopes, scope, reach)) return null;
  if (who.role === null) return `This API key does not have the scope “${scope}”.`;
  const role = `Your role is ${nameOfRole(who.role)}`;
  if (KEYS_ONLY.includes(scope)) return `${role}: whoever runs this service can ${reach} this, with an API key.`;
  const helper = who.role === 'viewer' && !ADMINS_ONLY.includes(scope) ? 'an editor' : 'an admin';
  return `${role}: ${helper} can ${reach} this.`;
}

export function nameOfRole(role: NonNullable<MeResponse['role']>): string {
  return role.charAt(0).toUpperCase() + role.slice(1);
}

/** As the service itself judges it. */
function allows(held: readonly string[], scope: string, reach: Reach): boolean {
  return held.includes('admin') || held.includes(scope) || (reach === 'see' && held.includes(`${scope}:read`));
}
