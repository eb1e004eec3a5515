import { request } from '../../api/client.ts';
import { takeSignIn } from '../../state/me.ts';

interface Started {
  readonly token: string;
}

export interface FoundInvitation {
  readonly email: string;
  readonly name: string;
  readonly organizationName: string;
  readonly isFirst: boolean;
}

/** Without the key of this browser, whose refusal would mean something else. */
const open = <T>(path: string, body: unknown) => request<T>('POST', path, body, null);

export async function signIn(email: string, password: string): Promise<void> {
  await takeSignIn((await open<Started>('/v1/sign-ins', { email: email.trim(), password })).token);
}

export const lookUpInvitation = (token: string) => open<FoundInvitation>('/v1/invitations/look-up', { token });

export async function acceptInvitation(token: string, password: string): Promise<void> {
  await takeSignIn((await open<Started>('/v1/invitations/accept', { token, password })).token);
}

export const changePassword = (currentPassword: string, newPassword: string) =>
  request<unknown>('PUT', '/v1/me/password', { currentPassword, newPassword });
