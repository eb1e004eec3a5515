import { type App, callerOf } from '../../http/app.ts';
import { errorAnswers } from '../../http/schemas.ts';
import type { Store } from '../../store/open.ts';
import { organizationResponse } from './organization-schema.ts';

/** Whose key it is: the console asks before it takes the key of another organization. */
export function organizationRoutes(app: App, { store }: { readonly store: Store }): void {
  app.get(
    '/v1/organization',
    {
      schema: {
        summary: 'Read to which organization the API key belongs',
        response: { 200: organizationResponse, ...errorAnswers() },
      },
    },
    async (request) =>
      store.db
        .selectFrom('organizations')
        .select(['id', 'name'])
        .where('id', '=', callerOf(request).organizationId)
        .executeTakeFirstOrThrow(),
  );
}
