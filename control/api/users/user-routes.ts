import { isoTime } from '../../../actors/kernel/iso-time.ts';
import type { Caller } from '../../access/caller.ts';
import { endSignIns, type SignIns } from '../../access/sign-ins.ts';
import { HttpError } from '../../errors/http-error.ts';
import { type App, callerOf } from '../../http/app.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import { publicUrl, type PublicUrlParts } from '../../http/public-url.ts';
import { emptyAnswer, errorAnswers, idPath } from '../../http/schemas.ts';
import type { Store } from '../../store/open.ts';
import type { UserRow } from '../../store/user-tables.ts';
import { userErrors } from './user-errors.ts';
import { addUser, checkReach, findUser, invitationUrl, renewInvitation, userOf } from './user-rows.ts';
import {
  invitationResponse,
  invitedUser,
  inviteUserBody,
  listUsers,
  updateUserBody,
  userResponse,
} from './user-schema.ts';

/** What these routes take of the service. */
export type UserRoutesParts = PublicUrlParts & {
  readonly store: Store;
  readonly signIns: SignIns;
  readonly now: () => number;
};

const oneUser = { pathId: { status: 404, missing: userErrors.userNotFound } } as const;

/** People of the caller's organization who sign in. */
export function userRoutes(app: App, control: UserRoutesParts): void {
  listUsersRoute(app, control);
  inviteUserRoute(app, control);
  readUserRoute(app, control);
  changeUserRoute(app, control);
  deleteUserRoute(app, control);
  renewInvitationRoute(app, control);
}

function listUsersRoute(app: App, { store }: UserRoutesParts): void {
  app.get(
    '/v1/users',
    {
      schema: {
        summary: 'List users',
        querystring: listUsers,
        response: { 200: pageOf(userResponse), ...errorAnswers(400) },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const own = store.db.selectFrom('users').where('organization_id', '=', caller.organizationId);
      const { rows, meta } = await readPage(own, request.query);
      return { data: rows.map((row) => userOf(row, caller)), meta };
    },
  );
}

function inviteUserRoute(app: App, control: UserRoutesParts): void {
  const { store } = control;
  app.post(
    '/v1/users',
    {
      schema: {
        summary: 'Invite a user',
        description:
          'The answer has a link with which the user chooses a password, within seven days. No mail is sent: give it to them.',
        body: inviteUserBody,
        response: { 201: invitedUser, ...errorAnswers(400, 409) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      checkReach(caller, request.body.role);
      const { organizationId } = caller;
      const added = await addUser(store, { organizationId, ...request.body }, control.now());
      if (added === null) throw new HttpError(userErrors.emailInUse);
      return reply.status(201).send({
        ...userOf(added.row, caller),
        invitationUrl: invitationUrl(publicUrl(control, request), added.token),
        invitationExpiresAt: added.until,
      });
    },
  );
}

function readUserRoute(app: App, { store }: UserRoutesParts): void {
  app.get(
    '/v1/users/:id',
    {
      config: oneUser,
      schema: { summary: 'Read a user', params: idPath, response: { 200: userResponse, ...errorAnswers(404) } },
    },
    async (request) => {
      const caller = callerOf(request);
      return userOf(await findUser(store, caller.organizationId, request.params.id), caller);
    },
  );
}

function changeUserRoute(app: App, control: UserRoutesParts): void {
  const { store } = control;
  app.put(
    '/v1/users/:id',
    {
      config: oneUser,
      schema: {
        summary: 'Change a user',
        description:
          'Fields that are absent stay. Another role holds within two seconds, and disabling signs out as soon.',
        params: idPath,
        body: updateUserBody,
        response: { 200: userResponse, ...errorAnswers(400, 404, 409) },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const { name, role, disabled } = request.body;
      const before = await changeable(store, caller, request.params.id);
      if (role !== undefined) checkReach(caller, role);
      const isOwn = before.id === caller.userId;
      if (isOwn && ((role !== undefined && role !== before.role) || disabled === true))
        throw new HttpError(userErrors.ownUser);
      const changes: Partial<UserRow> = {
        ...(name !== undefined && { name }),
        ...(role !== undefined && { role }),
        ...(disabled === false && { disabled_at: null }),
        ...(disabled === true && { disabled_at: before.disabled_at ?? isoTime(control.now()) }),
      };
      if (Object.keys(changes).length > 0) {
        await store.atomically([
          store.db.updateTable('users').set(changes).where('id', '=', before.id),
          ...(disabled === true ? [endSignIns(store, before.id)] : []),
        ]);
        forget(control, before.id);
      }
      return userOf(await findUser(store, caller.organizationId, before.id), caller);
    },
  );
}

function deleteUserRoute(app: App, control: UserRoutesParts): void {
  const { store } = control;
  app.delete(
    '/v1/users/:id',
    {
      config: oneUser,
      schema: {
        summary: 'Delete a user',
        description:
          'What they made stays. They are signed out, and session tokens that they made work no longer, within two seconds.',
        params: idPath,
        response: { 204: emptyAnswer, ...errorAnswers(404, 409) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { id } = await changeable(store, caller, request.params.id);
      if (id === caller.userId) throw new HttpError(userErrors.ownUser);
      await store.db.deleteFrom('users').where('id', '=', id).execute();
      forget(control, id);
      return reply.status(204).send(null);
    },
  );
}

function renewInvitationRoute(app: App, control: UserRoutesParts): void {
  const { store } = control;
  app.post(
    '/v1/users/:id/invitation',
    {
      config: oneUser,
      schema: {
        summary: 'Make a new link for a user',
        description:
          'For an invitation that expired and for a forgotten password. The link before stops working; the password stays until another one is chosen.',
        params: idPath,
        response: { 201: invitationResponse, ...errorAnswers(404) },
      },
    },
    async (request, reply) => {
      const { id } = await changeable(store, callerOf(request), request.params.id);
      const { token, until } = await renewInvitation(store, id, control.now());
      return reply.status(201).send({
        invitationUrl: invitationUrl(publicUrl(control, request), token),
        invitationExpiresAt: until,
      });
    },
  );
}

/** @throws HttpError 404, and 403 when the user may do more than the caller: a link would make the caller that user. */
async function changeable(store: Store, caller: Caller, id: string): Promise<UserRow> {
  const row = await findUser(store, caller.organizationId, id);
  checkReach(caller, row.role);
  return row;
}

/** This process notices at once, the others within two seconds. */
function forget({ signIns }: UserRoutesParts, userId: string): void {
  signIns.forget((caller) => caller.userId === userId);
}
