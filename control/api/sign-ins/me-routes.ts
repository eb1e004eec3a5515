import type { Caller } from '../../access/caller.ts';
import { type App, callerOf } from '../../http/app.ts';
import { HttpError } from '../../errors/http-error.ts';
import { errorAnswers } from '../../http/schemas.ts';
import type { Store } from '../../store/open.ts';
import { meResponse, type MeResponse } from './sign-in-schema.ts';

/** Who is calling, and what they may do: the console shows it, and hides what is not allowed. */
export function meRoutes(app: App, { store }: { readonly store: Store }): void {
  app.get(
    '/v1/me',
    {
      config: { access: 'caller' },
      schema: { summary: 'Read who is calling', response: { 200: meResponse, ...errorAnswers() } },
    },
    async (request) => {
      const caller = callerOf(request);
      const { scopes, organizationId } = caller;
      const [who, organization] = await Promise.all([
        identityOf(store, caller),
        store.db
          .selectFrom('organizations')
          .select(['id', 'name'])
          .where('id', '=', organizationId)
          .executeTakeFirstOrThrow(),
      ]);
      return { ...who, scopes: [...scopes], organization };
    },
  );
}

async function identityOf(
  { db }: Store,
  caller: Caller,
): Promise<Pick<MeResponse, 'kind' | 'id' | 'name' | 'email' | 'role'>> {
  if (caller.kind === 'user') {
    const rows = db.selectFrom('users').select(['id', 'name', 'email', 'role']).where('id', '=', caller.userId);
    const row = await rows.executeTakeFirst();
    // Deleted in this moment.
    if (row === undefined) throw new HttpError('signInEnded');
    return { kind: 'user', ...row };
  }
  const rows = db.selectFrom('api_keys').select(['id', 'name']).where('id', '=', caller.apiKeyId);
  return { kind: 'api-key', ...(await rows.executeTakeFirstOrThrow()), email: null, role: null };
}
