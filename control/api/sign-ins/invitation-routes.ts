import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { hashPassword } from '../../access/passwords.ts';
import { hashOf } from '../../access/credential-cache.ts';
import { endSignIns } from '../../access/sign-ins.ts';
import { HttpError } from '../../errors/http-error.ts';
import type { App } from '../../http/app.ts';
import { errorAnswers } from '../../http/schemas.ts';
import { signInErrors } from './sign-in-errors.ts';
import type { SignInRoutesParts } from './sign-in-routes.ts';
import { acceptInvitationBody, foundInvitation, lookUpInvitationBody, startedSignIn } from './sign-in-schema.ts';

/** Whoever has a link chooses a password with it. */
export function invitationRoutes(app: App, control: SignInRoutesParts): void {
  lookUpRoute(app, control);
  acceptRoute(app, control);
}

function lookUpRoute(app: App, control: SignInRoutesParts): void {
  const { limits } = control;
  app.post(
    '/v1/invitations/look-up',
    {
      config: { access: 'open' },
      schema: {
        summary: 'Look up an invitation',
        body: lookUpInvitationBody,
        response: { 200: foundInvitation, ...errorAnswers(400, 404, 429) },
      },
    },
    async (request) => {
      await limits.wrongCredentials.check(request);
      const row = await findInvitation(control, request.body.token);
      if (row === null) {
        await limits.wrongCredentials.count(request);
        throw new HttpError(signInErrors.invitationNotFound);
      }
      return {
        email: row.email,
        name: row.name,
        organizationName: row.organization_name,
        isFirst: row.password_hash === null,
        expiresAt: row.invitation_until!,
      };
    },
  );
}

function acceptRoute(app: App, control: SignInRoutesParts): void {
  const { store, signIns, passwordQueue, limits } = control;
  app.post(
    '/v1/invitations/accept',
    {
      config: { access: 'open' },
      schema: {
        summary: 'Accept an invitation',
        description: 'Chooses a password and signs in. All other sign-ins of the user end, and the link works no more.',
        body: acceptInvitationBody,
        response: { 201: startedSignIn, ...errorAnswers(400, 404, 429) },
      },
    },
    async (request, reply) => {
      const { token, password } = request.body;
      await limits.wrongCredentials.check(request);
      // Before the work: a wrong link costs nothing.
      const row = await findInvitation(control, token);
      if (row === null) {
        await limits.wrongCredentials.count(request);
        throw new HttpError(signInErrors.invitationNotFound);
      }
      const hash = await passwordQueue.run(() => hashPassword(password));
      const chosen = store.db
        .updateTable('users')
        .set({ password_hash: hash, invitation_hash: null, invitation_until: null })
        .where('invitation_hash', '=', hashOf(token));
      if (!(await store.atomicallyIfFound(chosen, [endSignIns(store, row.id)])))
        throw new HttpError(signInErrors.invitationNotFound);
      signIns.forget((caller) => caller.userId === row.id);
      return reply.status(201).send(await signIns.begin(row.id));
    },
  );
}

/** Null: there is none, or it has expired, or its user is disabled. */
async function findInvitation({ store, now }: SignInRoutesParts, token: string) {
  const row = await store.db
    .selectFrom('users')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .select(['users.id', 'users.email', 'users.name', 'users.password_hash', 'users.invitation_until'])
    .select('organizations.name as organization_name')
    .where('users.invitation_hash', '=', hashOf(token))
    .where('users.invitation_until', '>', isoTime(now()))
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}
