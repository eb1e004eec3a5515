import type { FastifyRequest } from 'fastify';
import { hashPassword, passwordFits, type PasswordQueue } from '../../access/passwords.ts';
import type { UserCaller } from '../../access/caller.ts';
import { endSignIns, type SignIns } from '../../access/sign-ins.ts';
import { detail, HttpError, invalid } from '../../errors/http-error.ts';
import { type App, callerOf } from '../../http/app.ts';
import type { RateLimits } from '../../http/rate-limits.ts';
import { emptyAnswer, errorAnswers } from '../../http/schemas.ts';
import type { Store } from '../../store/open.ts';
import { signInErrors } from './sign-in-errors.ts';
import { changePasswordBody, signInBody, startedSignIn } from './sign-in-schema.ts';

/** What these routes take of the service. */
export interface SignInRoutesParts {
  readonly store: Store;
  readonly signIns: SignIns;
  readonly passwordQueue: PasswordQueue;
  readonly limits: Pick<RateLimits, 'wrongCredentials' | 'wrongPasswords'>;
  readonly now: () => number;
}

/** Signing in, signing out, and one's own password. */
export function signInRoutes(app: App, control: SignInRoutesParts): void {
  signInRoute(app, control);
  signOutRoute(app, control);
  changePasswordRoute(app, control);
}

function signInRoute(app: App, control: SignInRoutesParts): void {
  const { store, signIns, limits } = control;
  app.post(
    '/v1/sign-ins',
    {
      config: { access: 'open' },
      schema: {
        summary: 'Sign in',
        body: signInBody,
        response: { 201: startedSignIn, ...errorAnswers(400, 429) },
      },
    },
    async (request, reply) => {
      const { email, password } = request.body;
      await limits.wrongCredentials.check(request);
      const userId = await rightPassword(control, request, password, async () => {
        const row = await store.db
          .selectFrom('users')
          .select(['id', 'password_hash'])
          .where('email', '=', email)
          .where('disabled_at', 'is', null)
          .executeTakeFirst();
        return row ?? null;
      });
      if (userId === null) {
        await limits.wrongCredentials.count(request);
        throw new HttpError(signInErrors.wrongPassword);
      }
      return reply.status(201).send(await signIns.begin(userId));
    },
  );
}

function signOutRoute(app: App, { signIns }: SignInRoutesParts): void {
  app.delete(
    '/v1/sign-ins/current',
    {
      config: { access: 'caller' },
      schema: { summary: 'Sign out', response: { 204: emptyAnswer, ...errorAnswers(409) } },
    },
    async (request, reply) => {
      await signIns.end(userOfRequest(request).signInId);
      return reply.status(204).send(null);
    },
  );
}

function changePasswordRoute(app: App, control: SignInRoutesParts): void {
  const { store, signIns, passwordQueue } = control;
  app.put(
    '/v1/me/password',
    {
      config: { access: 'caller' },
      schema: {
        summary: 'Change your password',
        description: 'Ends all other sign-ins of the user.',
        body: changePasswordBody,
        response: { 204: emptyAnswer, ...errorAnswers(400, 409, 429) },
      },
    },
    async (request, reply) => {
      const { userId, signInId } = userOfRequest(request);
      const { currentPassword, newPassword } = request.body;
      const right = await rightPassword(control, request, currentPassword, async () => {
        const rows = store.db.selectFrom('users').select(['id', 'password_hash']).where('id', '=', userId);
        return (await rows.executeTakeFirst()) ?? null;
      });
      if (right === null) throw invalid([detail('currentPassword', 'is not your password')]);
      const hash = await passwordQueue.run(() => hashPassword(newPassword));
      await store.atomically([
        // A link that is on its way to somebody must not undo it.
        store.db
          .updateTable('users')
          .set({ password_hash: hash, invitation_hash: null, invitation_until: null })
          .where('id', '=', userId),
        endSignIns(store, userId, signInId),
      ]);
      signIns.forget((caller) => caller.userId === userId);
      return reply.status(204).send(null);
    },
  );
}

/**
 * @param find the account, or null: then as much work is done. @returns the user, or null when the password is wrong.
 * @throws HttpError 429 after too many wrong ones of this account.
 */
async function rightPassword(
  { passwordQueue, limits }: SignInRoutesParts,
  request: FastifyRequest,
  password: string,
  find: () => Promise<{ readonly id: string; readonly password_hash: string | null } | null>,
): Promise<string | null> {
  // In one turn: otherwise many guesses at the same moment would all be made before the first is counted.
  return passwordQueue.run(async () => {
    await limits.wrongPasswords.check(request);
    const account = await find();
    if (await passwordFits(password, account?.password_hash ?? null)) return account!.id;
    await limits.wrongPasswords.count(request);
    return null;
  });
}

/** @throws HttpError 409 when an API key called. */
function userOfRequest(request: FastifyRequest): UserCaller {
  const caller = callerOf(request);
  if (caller.kind === 'key') throw new HttpError(signInErrors.notAUser);
  return caller;
}
