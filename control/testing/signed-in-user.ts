import { randomUUID } from 'node:crypto';
import { SignIns } from '../access/sign-ins.ts';
import type { UserRow } from '../store/user-tables.ts';
import type { TestService } from './service.ts';

export const PASSWORD = 'four words of a poem';
/** Of this password. To check it costs next to nothing. */
const CHEAP_HASH = '$scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$cUr0PSMqR6U5iDsXxG9tC4D2eb/mThnTCF5k3gQ6KQY';

export interface SignedInUser {
  readonly id: string;
  readonly email: string;
  readonly token: string;
}

/** Somebody of the first organization who has accepted an invitation and signed in. */
export async function signedInUser(
  { store, clock, organizationId }: Pick<TestService, 'store' | 'clock' | 'organizationId'>,
  role: UserRow['role'],
): Promise<SignedInUser> {
  const id = randomUUID();
  const email = `${role}-${id}@example.com`;
  await store.db
    .insertInto('users')
    .values({
      id,
      organization_id: organizationId,
      email,
      name: role,
      role,
      password_hash: CHEAP_HASH,
      invitation_hash: null,
      invitation_until: null,
      created_at: new Date(clock.now).toISOString(),
      last_sign_in_at: null,
      disabled_at: null,
    })
    .execute();
  return { id, email, token: (await new SignIns(store, () => clock.now).begin(id)).token };
}
