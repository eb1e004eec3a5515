import { randomBytes, randomUUID } from 'node:crypto';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import type { Caller } from '../../access/caller.ts';
import { hashOf } from '../../access/credential-cache.ts';
import { mayGrant, type Role } from '../../access/roles.ts';
import { HttpError } from '../../errors/http-error.ts';
import { isUniqueViolation, type Store } from '../../store/open.ts';
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

/** What lets its holder choose a password, once. */
export interface Invitation {
  /** Stored nowhere. */
  readonly token: string;
  /** When it ends. */
  readonly until: string;
}

/** @returns the user, who has no password yet; null: somebody has the address. */
export async function addUser(
  { db }: Store,
  { organizationId, email, role, name = email.slice(0, email.indexOf('@')) }: NewUser,
  now: number,
): Promise<(Invitation & { readonly row: UserRow }) | null> {
  const { columns, ...invitation } = newInvitation(now);
  const row: UserRow = {
    id: randomUUID(),
    organization_id: organizationId,
    email,
    name,
    role,
    password_hash: null,
    ...columns,
    created_at: isoTime(now),
    last_sign_in_at: null,
    disabled_at: null,
  };
  try {
    await db.insertInto('users').values(row).execute();
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
  return { ...invitation, row };
}

interface NewUser extends Pick<UserRow, 'email' | 'role'> {
  readonly organizationId: string;
  /** @defaultValue what is before the @ */
  readonly name?: string | undefined;
}

/** The new link takes the place of the one before. The password stays until another one is chosen. */
export async function renewInvitation({ db }: Store, userId: string, now: number): Promise<Invitation> {
  const { columns, ...invitation } = newInvitation(now);
  await db.updateTable('users').set(columns).where('id', '=', userId).execute();
  return invitation;
}

function newInvitation(now: number) {
  const token = randomBytes(32).toString('base64url');
  const until = isoTime(now + INVITATION_MS);
  return { token, until, columns: { invitation_hash: hashOf(token), invitation_until: until } };
}

/** @param baseUrl of the console. What is behind `#` is sent to no server, so no proxy writes it down. */
export function invitationUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/#/invitation/${token}`;
}
