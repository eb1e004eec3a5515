import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../access/caller.ts';
import { type App, callerOf } from '../../http/app.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { detail, ERRORS, HttpError, invalid } from '../../errors/http-error.ts';
import { sendError } from '../../http/error-handler.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import { detailsOf } from '../../http/validation-details.ts';
import { emptyAnswer, errorAnswers, idPath } from '../../http/schemas.ts';
import { ephemeralPersona, type PersonaConfig, type SessionRequest } from '../../sessions/start/persona-config.ts';
import { checkSession, type CheckSessionParts } from '../../sessions/start/check-session.ts';
import type { MeetingInviteRow } from '../../store/tables.ts';
import { type InviteLimitSettings, inviteLimits } from './invite-limits.ts';
import { FARTHEST_MS, timingOf } from './invite-rules.ts';
import { InviteRows } from './invite-rows.ts';
import { findInvite, inviteOf } from './invite-view.ts';
import type { MeetingCalendar } from './meeting-calendar.ts';
import { type CreateInvite, createInvite, inviteResponse, listInvites } from './meeting-schema.ts';
import { meetingErrors } from './meeting-errors.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ControlPorts } from '../../ports.ts';
import type { Vault } from '../../access/vault.ts';
import type { SharedClock } from '../../store/shared-clock.ts';

/** What these routes take of the service. */
export type InviteRoutesParts = CheckSessionParts & {
  readonly settings: Pick<Settings, 'PARLEY_ENGINE_ID'> & InviteLimitSettings;
  readonly ports: Pick<ControlPorts, 'meetings' | 'meetingsUnavailable'>;
  readonly vault: Vault;
  readonly now: () => number;
  readonly sharedNow: SharedClock;
};

const oneConfig = { pathId: { status: 404, missing: ERRORS.notFound } } as const;
/** Tells everybody in a meeting what the persona is. */
const SUFFIX = ' (AI)';
/** What clients are told to wait when every place is taken. */
const RETRY_AFTER_SECONDS = 30;

/**
 * Invites a persona to a video meeting. @param calendar sends it there; null: nothing can join meetings, so invites are
 * refused.
 */
export function inviteRoutes(app: App, control: InviteRoutesParts, calendar: MeetingCalendar | null): void {
  const limits = inviteLimits(app, control.settings);
  const rows = new InviteRows(control.store, control.settings.PARLEY_ENGINE_ID, control.sharedNow);
  listInvitesRoute(app, control);
  invitePersonaRoute(app, control, calendar, limits);
  readInviteRoute(app, control);
  cancelInviteRoute(app, control, calendar, rows);
}

function listInvitesRoute(app: App, control: InviteRoutesParts): void {
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
      let rows = control.store.db
        .selectFrom('meeting_invites')
        .where('organization_id', '=', callerOf(request).organizationId);
      if (status !== undefined) rows = rows.where('status', '=', status);
      const { rows: found, meta } = await readPage(rows, { page, perPage });
      return { data: found.map(inviteOf), meta };
    },
  );
}

function invitePersonaRoute(
  app: App,
  control: InviteRoutesParts,
  calendar: MeetingCalendar | null,
  limits: ReturnType<typeof inviteLimits>,
): void {
  app.post(
    '/v1/meetings/invites',
    {
      config: { needsEngine: () => true },
      // Problems of the body are reported in this resource's own words.
      attachValidation: true,
      errorHandler: (error, request, reply) => void sendError(error, request, reply, meetingErrors.meetingInviteFailed),
      schema: {
        summary: 'Invite a persona to a meeting',
        body: createInvite,
        response: { 201: inviteResponse, ...errorAnswers(400, 422, 429, 503) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const body = checkedBody(request);
      const connector = control.ports.meetings;
      if (calendar === null || connector === null) throw disabled(control, body.meetingUrl);
      const meeting = meetingOf(connector, body.meetingUrl);
      const joinAt = checkedTime(control, body.joinAt);
      const wanted = await sessionRequest(control, caller, body);
      const problem = await control.ports.publicUrls.problemWith(meeting.url);
      if (problem !== null) throw new HttpError(meetingErrors.meetingRejected, { message: problem });
      reply.headers(await limits(request));
      checkRegion(control, body);
      const now = await control.sharedNow();
      const timing = timingOf(joinAt, now);
      const row = newRow(control, caller, body, { meeting, wanted, joinAt, timing, now });
      const store = () => control.store.db.insertInto('meeting_invites').values(row).execute();
      if (timing.reserved) {
        if (!(await calendar.promisePlace(timing.dueAt, caller.organizationId, store))) throw full();
      } else {
        if (joinAt === null && !(await calendar.hasRoom(caller.organizationId))) throw full();
        await store();
      }
      calendar.wake();
      return reply.status(201).send(inviteOf(row));
    },
  );
}

type MeetingConnector = NonNullable<ControlPorts['meetings']>;
type Meeting = NonNullable<ReturnType<MeetingConnector['recognize']>>;

/** @throws HttpError 400 for a link of no meeting. */
function meetingOf(connector: MeetingConnector, link: string): Meeting {
  const meeting = connector.recognize(link);
  if (meeting !== null) return meeting;
  const needed = connector.neededLink(link);
  throw needed === null
    ? new HttpError(meetingErrors.meetingUrl)
    : new HttpError(meetingErrors.meetingLink, { message: needed });
}

/** @param invited.joinAt null: at once. @param invited.now ms since the epoch. */
function newRow(
  { settings, vault }: { readonly settings: Pick<Settings, 'PARLEY_ENGINE_ID'>; readonly vault: Vault },
  caller: Caller,
  body: CreateInvite,
  invited: {
    readonly meeting: Meeting;
    readonly wanted: Awaited<ReturnType<typeof sessionRequest>>;
    readonly joinAt: number | null;
    readonly timing: ReturnType<typeof timingOf>;
    readonly now: number;
  },
): MeetingInviteRow {
  const { meeting, wanted, joinAt, timing, now } = invited;
  const id = randomUUID();
  return {
    id,
    organization_id: caller.organizationId,
    api_key_id: caller.apiKeyId,
    user_id: caller.userId,
    provider: meeting.provider,
    meeting_url: meeting.url,
    display_name: displayName(body.displayName ?? wanted.personaName),
    status: 'pending',
    join_at: joinAt === null ? null : isoTime(joinAt),
    group_call: Number(body.groupCall),
    session_id: null,
    region: body.region ?? null,
    join_state: null,
    status_reason: null,
    status_message: null,
    due_at: isoTime(timing.dueAt),
    join_by: isoTime(timing.joinBy),
    attempts: 0,
    place_on: timing.reserved ? settings.PARLEY_ENGINE_ID : null,
    visited_from: null,
    visit_id: null,
    visit_seen_at: null,
    request_cipher: vault.close(JSON.stringify(wanted.request), id),
    created_at: isoTime(now),
  };
}

function readInviteRoute(app: App, control: InviteRoutesParts): void {
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
}

function cancelInviteRoute(
  app: App,
  control: InviteRoutesParts,
  calendar: MeetingCalendar | null,
  rows: InviteRows,
): void {
  app.delete(
    '/v1/meetings/invites/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Cancel a meeting invite',
        params: idPath,
        response: { 204: emptyAnswer, ...errorAnswers(404) },
      },
    },
    async (request, reply) => {
      const { id, status } = await findInvite(control, callerOf(request).organizationId, request.params.id);
      if (status === 'pending' || status === 'active') await (calendar ?? rows).cancel(id);
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

/** @returns ms since the epoch; null: at once. @throws HttpError 400. */
function checkedTime({ now }: Pick<InviteRoutesParts, 'now'>, joinAt: string | undefined): number | null {
  if (joinAt === undefined) return null;
  const at = Date.parse(joinAt);
  const ahead = at - now();
  if (Number.isNaN(ahead) || ahead <= 0) throw new HttpError(meetingErrors.joinAtPast);
  if (ahead > FARTHEST_MS) throw invalid([detail('joinAt', 'must be at most 7 days ahead')]);
  return at;
}

/** @throws HttpError 503 when a meeting may be joined from another region only. */
function checkRegion(
  { settings }: { readonly settings: Pick<Settings, 'PARLEY_REGION'> },
  { region, regionPolicy }: CreateInvite,
): void {
  const here = settings.PARLEY_REGION;
  // Regions of meetings are finer than those of sessions: `us-east` is in `us`.
  if (regionPolicy !== 'strict' || region === undefined || region === here || region.startsWith(`${here}-`)) return;
  throw new HttpError(meetingErrors.meetingsFull, { message: `Nothing joins meetings from the region "${region}".` });
}

/** What is wrong with the request comes first, as everywhere. */
function disabled({ ports }: { readonly ports: Pick<ControlPorts, 'meetingsUnavailable'> }, link: string): HttpError {
  const off = ports.meetingsUnavailable;
  if (off !== null && !off.recognizes(link)) return new HttpError(meetingErrors.meetingUrl);
  return new HttpError(meetingErrors.meetingsDisabled, off === null ? {} : { message: off.why });
}

function full(): HttpError {
  return new HttpError(meetingErrors.meetingsFull, { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
}

/** @throws HttpError 400 for an inline persona that is not consistent, 403 for a saved one that does not exist. */
async function sessionRequest(
  control: Pick<InviteRoutesParts, 'store' | 'catalogue' | 'references'> & {
    readonly settings: Pick<Settings, 'PARLEY_REGION' | 'PARLEY_REGIONS'>;
    readonly ports: Pick<ControlPorts, 'publicUrls'>;
  },
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
    const { persona } = await checkSession(control, caller, request, {
      persona: body.personaId === undefined ? 'personaConfig.' : '',
      options: 'sessionOptions.',
    });
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
    throw invalid(
      detailsOf(checked.error, config).map((problem) => ({ ...problem, path: `personaConfig.${problem.path}` })),
    );
  return checked.data;
}

/** @returns the name with the suffix, once. */
function displayName(name: string): string {
  return (name.replace(/\s*\(AI\)\s*$/i, '') + SUFFIX).trim();
}
