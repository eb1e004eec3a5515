import type { UserResponse } from '../../../../control/api/users/user-schema.ts';
import { everyRow, request } from '../../api/client.ts';
import { nameOfRole } from '../../state/denial-reason.ts';

export type User = UserResponse;
export type Role = User['role'];

/** Shown once. */
export interface Invited {
  readonly invitationUrl: string;
  readonly invitationExpiresAt: string;
}

/** A link that was just made, and whose it is. */
export interface NewLink extends Invited {
  readonly name: string;
}

/** What each may do, from the least to the most. */
export const ROLES: Readonly<Record<Role, string>> = {
  viewer: 'Sees everything but users and API keys, and talks with personas. Changes nothing.',
  editor: 'Makes and changes personas and all that they use. No users, API keys or settings of the organization.',
  admin: 'Everything of the organization, users and API keys too.',
};
export const ROLE_OPTIONS = Object.keys(ROLES).map((role) => [role, nameOfRole(role as Role)] as const);

export const listUsers = () => everyRow<User>('/v1/users');
export const inviteUser = (email: string, name: string, role: Role) =>
  request<User & Invited>('POST', '/v1/users', { email, role, ...(name.trim() !== '' && { name }) });
export const changeUser = (id: string, changes: { readonly role?: Role; readonly disabled?: boolean }) =>
  request<User>('PUT', `/v1/users/${id}`, changes);
export const newInvitation = (id: string) => request<Invited>('POST', `/v1/users/${id}/invitation`);
