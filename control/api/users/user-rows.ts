import { randomBytes } from 'node:crypto';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import type { Caller } from '../../access/caller.ts';
import { hashOf } from '../../access/credential-cache.ts';
import { mayGrant, type Role } from '../../access/roles.ts';
import { HttpError } from '../../errors/http-error.ts';
import type { Store } from '../../store/open.ts';
import type { UserRow } from '../../store/user-tables.ts';
import { userErrors } from './user-errors.ts';
import type { UserResponse } from './user-schema.ts';

/** How long an invitation works, ms: a week, with a weekend in it. */
const INVITATION_MS = 7 * 24 * 3_600_000;

export function userOf(row: UserRow, caller: Pick<Caller, 'userId'>): UserResponse {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    status: row.disabled_at !== null ? 'disabled' : row.password_hash === null ? 'invited' : 'active',
    isYou: row.id === caller.userId,
    invitationExpiresAt: row.invitation_until,
    createdAt: row.created_at,
    lastSignInAt: row.last_sign_in_at,
  };
}

/** @throws HttpError 404. */
export async function findUser(store: Store, organizationId: string, id: string): Promise<UserRow> {
  const row = await store.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (row === undefined) throw new HttpError(userErrors.userNotFound);
  return row;
}

/** @throws HttpError 403 when the caller may do less than this role. */
export function checkReach({ scopes }: Caller, role: Role): void {
  if (!mayGrant(scopes, role)) throw new HttpError(userErrors.roleOutOfReach);
}

export interface NewInvitation {
  /** Stored nowhere. */
  readonly token: string;
  readonly columns: { readonly invitation_hash: string; readonly invitation_until: string };
}

/** A new one takes the place of the one before. */
export function newInvitation(now: number): NewInvitation {
  const token = randomBytes(32).toString('base64url');
  return { token, columns: { invitation_hash: hashOf(token), invitation_until: isoTime(now + INVITATION_MS) } };
}

/** @param baseUrl of the console. What is behind `#` is sent to no server, so no proxy writes it down. */
export function invitationUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/#/invitation/${token}`;
}
