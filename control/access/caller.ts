import type { Role } from './roles.ts';

/** Who is calling: an API key of an organization, or a user of one who has signed in. */
export type Caller = KeyCaller | UserCaller;

interface Access {
  readonly organizationId: string;
  readonly scopes: readonly string[];
  readonly entitlements: readonly string[];
}

export interface KeyCaller extends Access {
  readonly kind: 'key';
  readonly apiKeyId: string;
  readonly userId: null;
}

export interface UserCaller extends Access {
  readonly kind: 'user';
  readonly apiKeyId: null;
  readonly userId: string;
  readonly role: Role;
  readonly signInId: string;
}

/** Who started something, as rows say it: one of the two, or none for a visitor. */
export interface StartedBy {
  readonly apiKeyId: string | null;
  readonly userId: string | null;
}

export function startedBy({ apiKeyId, userId }: Caller): StartedBy {
  return { apiKeyId, userId };
}

/** What requests of a caller are counted by. */
export function callerId({ apiKeyId, userId }: Caller): string {
  return apiKeyId ?? userId;
}
