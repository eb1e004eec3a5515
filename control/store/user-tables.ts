/** People who sign in. The rules of `tables.ts` hold here, too. */

export interface UserRow {
  id: string;
  organization_id: string;
  /** In lower case, once in the whole service. */
  email: string;
  name: string;
  role: 'admin' | 'editor' | 'viewer';
  /** See `passwords.ts`. Null: the invitation was not accepted yet. */
  password_hash: string | null;
  /** SHA-256 of the link that lets its holder choose a password, hex. Null: there is none, or it was used. */
  invitation_hash: string | null;
  invitation_until: string | null;
  created_at: string;
  last_sign_in_at: string | null;
  disabled_at: string | null;
}

export interface SignInRow {
  id: string;
  user_id: string;
  /** SHA-256 of the token, hex. */
  hash: string;
  created_at: string;
  /** To the minute. */
  last_used_at: string;
  expires_at: string;
}
