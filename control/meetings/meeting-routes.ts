import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Caller } from '../access/api-keys.ts';
import { type App, callerOf, type Control } from '../context.ts';
import { isoTime } from '../../actors/kernel/iso-time.ts';
import { detail, ERRORS, HttpError, invalid } from '../errors.ts';
import { pageOf, readPage } from '../http/paging.ts';
import { detailsOf } from '../http/validation-details.ts';
import { emptyAnswer, errorAnswers, idPath } from '../schemas.ts';
import { ephemeralPersona, type PersonaConfig, type SessionRequest } from '../sessions/persona-config.ts';
import { checkSession } from '../sessions/check-session.ts';
import type { MeetingInviteRow } from '../store/tables.ts';
import { inviteLimits } from './invite-limits.ts';
import { type CreateInvite, createInvite, inviteResponse, listInvites } from './meeting-schema.ts';
import { meetingErrors } from './meeting-errors.ts';

const oneConfig = { pathId: { status: 404, missing: ERRORS.notFound } } as const;
/** Farthest that a meeting can be scheduled. */
const FARTHEST_MS = 7 * 86_400_000;
const SUFFIX = ' (AI)';

/** Invites a persona to a video meeting. A connector joins the meeting; without one, invites are refused. */
export function meetingRoutes(app: App, control: Control): void {
  const { store } = control;
  const limits = inviteLimits(app, control.settings);

  app.get(
    '/v1/meetings/invites',
    {
      schema: {
        summary: 'List meeting invites',
        querystring: listInvites,
        response: { 200: pageOf(inviteResponse), ...errorAnswers(400) },
      },
    },
    async (request) => {
      const { page, perPage, status } = request.query;
      let rows = store.db.selectFrom('meeting_invites').where('organization_id', '=', callerOf(request).organizationId);
      if (status !== undefined) rows = rows.where('status', '=', status);
      const { rows: found, meta } = await readPage(rows, { page, perPage });
      return { data: found.map(inviteOf), meta };
    },
  );

  app.post(
    '/v1/meetings/invites',
    {
      // Problems of the body are reported in this resource's own words.
      attachValidation: true,
      schema: {
        summary: 'Invite a persona to a meeting',
        body: createInvite,
        response: { 201: inviteResponse, ...errorAnswers(400, 422, 429, 502, 503) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const body = checkedBody(request);
      const connector = control.ports.meetings;
      if (connector === null) throw new HttpError(meetingErrors.meetingsDisabled);
      const meeting = connector.recognize(body.meetingUrl);
      if (meeting === null) throw new HttpError(meetingErrors.meetingUrl);
      checkTime(control, body.joinAt);
      const wanted = await sessionRequest(control, caller, body);
      reply.headers(await limits(request));
      const id = randomUUID();
      const row: MeetingInviteRow = {
        id,
        organization_id: caller.organizationId,
        api_key_id: caller.apiKeyId,
        provider: meeting.provider,
        meeting_url: meeting.url,
        display_name: displayName(body.displayName ?? wanted.personaName),
        status: 'pending',
        join_at: body.joinAt === undefined ? null : new Date(body.joinAt).toISOString(),
        group_call: Number(body.groupCall),
        session_id: null,
        region: body.region ?? null,
        join_state: null,
        status_reason: null,
        request_cipher: control.vault.close(JSON.stringify(wanted.request), id),
        created_at: isoTime(control.now()),
      };
      await store.db.insertInto('meeting_invites').values(row).execute();
      return reply.status(201).send(inviteOf(row));
    },
  );

  app.get(
    '/v1/meetings/invites/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Read a meeting invite',
        params: idPath,
        response: { 200: inviteResponse, ...errorAnswers(404) },
      },
    },
    async (request) => inviteOf(await findInvite(control, callerOf(request).organizationId, request.params.id)),
  );

  app.delete(
    '/v1/meetings/invites/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Cancel a meeting invite',
        params: idPath,
        response: { 204: emptyAnswer, ...errorAnswers(404, 502) },
      },
    },
    async (request, reply) => {
      const row = await findInvite(control, callerOf(request).organizationId, request.params.id);
      if (row.status === 'pending' || row.status === 'active') {
        await store.db.updateTable('meeting_invites').set({ status: 'cancelled' }).where('id', '=', row.id).execute();
      }
      return reply.status(204).send(null);
    },
  );
}

/** @throws HttpError 400. */
function checkedBody(request: FastifyRequest): CreateInvite {
  if (request.validationError !== undefined) {
    const { details } = request.validationError as unknown as HttpError;
    throw new HttpError('invalidBody', { details: details ?? [], message: (request.validationError as Error).message });
  }
  const body = request.body as CreateInvite;
  if ((body.personaId === undefined) === (body.personaConfig === undefined))
    throw invalid([detail('personaId', 'Provide exactly one of personaId or personaConfig')]);
  if (body.personaConfig !== undefined && ('personaId' in body.personaConfig || 'id' in body.personaConfig))
    throw invalid([detail('personaConfig.personaId', 'must not be set; use personaId')]);
  if (body.regionPolicy === 'strict' && body.region === undefined)
    throw invalid([detail('region', 'is required with regionPolicy "strict"')]);
  return body;
}

function checkTime({ now }: Control, joinAt: string | undefined): void {
  if (joinAt === undefined) return;
  const ahead = Date.parse(joinAt) - now();
  if (Number.isNaN(ahead) || ahead <= 0) throw new HttpError(meetingErrors.joinAtPast);
  if (ahead > FARTHEST_MS) throw invalid([detail('joinAt', 'must be at most 7 days ahead')]);
}

/** @throws HttpError 400 for an inline persona that is not consistent, 403 for a saved one that does not exist. */
async function sessionRequest(
  control: Control,
  caller: Caller,
  body: CreateInvite,
): Promise<{ request: SessionRequest; personaName: string }> {
  const personaConfig: PersonaConfig =
    body.personaId === undefined
      ? { type: 'ephemeral', persona: parsedPersona(body.personaConfig) }
      : { type: 'stateful', persona: { personaId: body.personaId } };
  const request: SessionRequest = {
    personaConfig,
    sessionOptions: { ...body.sessionOptions, showAIAvatarDisclosure: true },
    clientLabel: body.clientLabel ?? null,
    clientMetadata: null,
  };
  try {
    const { persona } = await checkSession(control, caller, request);
    return { request, personaName: persona.name };
  } catch (error) {
    if (error instanceof HttpError && error.status === 404)
      throw new HttpError('forbidden', { message: 'This persona is not available to your organization.' });
    throw error;
  }
}

function parsedPersona(config: unknown) {
  const checked = ephemeralPersona.safeParse(config);
  if (!checked.success)
    throw invalid(detailsOf(checked.error).map((problem) => ({ ...problem, path: `personaConfig.${problem.path}` })));
  return checked.data;
}

function displayName(name: string): string {
  return name.endsWith(SUFFIX) ? name : `${name}${SUFFIX}`;
}

async function findInvite({ store }: Control, organizationId: string, id: string): Promise<MeetingInviteRow> {
  const row = await store.db
    .selectFrom('meeting_invites')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (row === undefined)
    throw new HttpError('notFound', { message: 'No meeting invite of this organization has this id.' });
  return row;
}

function inviteOf(row: MeetingInviteRow): z.infer<typeof inviteResponse> {
  return {
    id: row.id,
    provider: row.provider as 'zoom',
    meetingUrl: row.meeting_url,
    displayName: row.display_name,
    status: row.status as 'pending',
    createdAt: row.created_at,
    joinAt: row.join_at,
    groupCall: row.group_call === 1,
    sessionId: row.session_id,
    region: row.region,
    joinState: row.join_state,
    statusReason: row.status_reason,
  };
}
