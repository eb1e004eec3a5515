import { randomUUID } from 'node:crypto';
import type { EndReason, SessionEnd } from '../../../actors/report.ts';
import type { TraceContext } from '../../../engine/index.ts';
import { AvatarUnavailableError, CapacityError, VoiceUnavailableError } from '../../../engine/ports.ts';
import type { Caller, StartedBy } from '../../access/caller.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { type ClientConfigSettings, clientConfigOf } from './client-config.ts';
import type { SessionRequest } from './persona-config.ts';
import type { PlacementRequest, TakenPlace, EnginePlaces } from '../../placement/engine-places.ts';
import { PlaceRefused } from '../../placement/place-refused.ts';
import { type ResolvedSession, resolveSession, type ResolveSessionParts } from './resolve-session.ts';
import { unlessUnavailable } from './visitor-errors.ts';
import type { SessionOptions } from './session-options.ts';
import type { SessionRow } from '../../store/tables.ts';
import type { SessionSlots, SlotHolder, SlotVisitor } from '../../placement/session-slots.ts';
import { writeHead } from './session-head.ts';
import { sessionErrors } from '../../errors/session-errors.ts';
import { snapshotOf } from './snapshot.ts';
import { endIfWithdrawn, acquireLinkUse, type LinkUsesParts } from './link-uses.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Knowledge } from '../../api/knowledge/knowledge.ts';
import type { SessionStore } from '../records/session-store.ts';
import type { Reservations } from '../../placement/reservations.ts';
import { versionColumn } from '../../api/personas/version-rows.ts';
import { requestOfSession } from './version-share.ts';
import { prefixOfUrl } from '../../http/path-prefix.ts';

/** What is taken of the service here. */
export type StartSessionParts = ResolveSessionParts &
  LinkUsesParts & {
    readonly settings: Pick<Settings, 'PARLEY_ENGINE_ID'> & ClientConfigSettings;
    readonly knowledge: Knowledge;
    readonly sessions: SessionStore;
    readonly slots: SessionSlots;
    readonly places: EnginePlaces;
    readonly reservations: Reservations;
    readonly signalingPath: string;
  };

export interface Visitor extends SlotVisitor {
  /** Only pages of this origin may connect. Null in tokens of an older version. */
  readonly origin: string | null;
  readonly shareLinkId: string | null;
}

/** With the key or the user that minted the token or started the session. */
export interface SessionStarter extends StartedBy {
  readonly caller: Pick<Caller, 'organizationId' | 'entitlements'>;
  /** Null for callers, and those with a session token from one. */
  readonly visitor: Visitor | null;
  /** Address under which the client reaches this service. */
  readonly baseUrl: string;
  /** The invite, when a persona goes into a meeting. @defaultValue none */
  readonly inviteId?: string;
  /** The trace of the request. @defaultValue none */
  readonly startedBy?: TraceContext | null;
  /** Called once, when the session is over, with the reason if one was reported. */
  readonly ended?: (reason: EndReason | null) => void;
}

/**
 * Resolves the request and passes it to the engine of this node.
 * @param taken a place that it has here. @defaultValue one is taken when the request is resolved
 * @throws HttpError 400, 403, 404 for the request; 429 when every slot is taken; 503 without a running engine,
 * or without its face.
 */
export async function startSession(
  control: StartSessionParts,
  starter: SessionStarter,
  request: SessionRequest,
  taken?: TakenPlace,
) {
  const { settings, signalingPath } = control;
  const sessionId = randomUUID();
  const resolving = resolveSession(control, starter.caller, requestOfSession(request, sessionId));
  const resolved = await (starter.visitor === null
    ? resolving
    : unlessUnavailable(control.log, personaIdOf(request), resolving));
  const { room } = resolved;
  // A plugin that missed the answer asks again, with the same seat in the room.
  if (room !== null) control.engine.leaveRoom(starter.caller.organizationId, room);
  const admission = await admit(control, starter, request, sessionId, taken);
  const row = rowOf(control, starter, request, resolved, sessionId);
  try {
    await begin(control, starter, request, resolved, admission, row);
  } catch (error) {
    admission.giveBack();
    control.sessions.abandon(sessionId);
    // If the engine has it already: nobody would learn of it, and it would wait for a client until it expires.
    control.engine.stopSession(sessionId, 'engine_error');
    await admission.giveBackUse();
    throw refusalOf(control, error);
  }
  const url = new URL(starter.baseUrl);
  return {
    sessionId,
    region: settings.PARLEY_REGION,
    // Clients put `/talk` behind it, and the endpoint of the signaling behind its host alone. To a room nobody connects.
    ...(room === null && { engineHost: url.host + prefixOfUrl(starter.baseUrl) }),
    engineProtocol: url.protocol === 'https:' ? ('https' as const) : ('http' as const),
    signallingEndpoint: prefixOfUrl(starter.baseUrl) + signalingPath,
    clientConfig: clientConfigOf(settings, sessionId, resolved.config.maxSessionLengthSeconds, control.now()),
  };
}

/** A session may start: it has a place, slots, and a use of its share link. */
interface Admission {
  readonly holder: SlotHolder;
  readonly place: TakenPlace;
  /** Place and slots. May be called more than once. */
  giveBack(): void;
  /** The use of the share link. */
  giveBackUse(): Promise<void>;
}

/** @throws HttpError 429, or PlaceRefused, when one of them is not to be had: then none is taken. */
async function admit(
  control: StartSessionParts,
  { caller, visitor, inviteId }: SessionStarter,
  { sessionOptions }: SessionRequest,
  sessionId: string,
  taken: TakenPlace | undefined,
): Promise<Admission> {
  const place = taken ?? control.places.take(placementRequest(sessionOptions));
  const holder = { organizationId: caller.organizationId, visitor, ...(inviteId !== undefined && { inviteId }) };
  const slot = await control.slots.take(holder, sessionId).catch((error: unknown) => {
    place.giveBack();
    throw error;
  });
  const giveBack = (): void => {
    slot();
    place.giveBack();
  };
  // The place that was kept free is now taken.
  if (inviteId !== undefined) control.reservations.drop(inviteId);
  const linkId = visitor?.shareLinkId ?? null;
  const giveBackUse =
    linkId === null
      ? async () => {}
      : await acquireLinkUse(control, linkId).catch((error: unknown) => {
          giveBack();
          throw error;
        });
  return { holder, place, giveBack, giveBackUse };
}

function rowOf(
  { settings, now }: Pick<StartSessionParts, 'now' | 'settings'>,
  { caller, visitor, apiKeyId, userId, baseUrl }: SessionStarter,
  { clientLabel, clientMetadata }: SessionRequest,
  resolved: ResolvedSession,
  sessionId: string,
): SessionRow {
  const url = new URL(baseUrl);
  const at = isoTime(now());
  return {
    id: sessionId,
    organization_id: caller.organizationId,
    persona_id: resolved.persona.id,
    persona_version: versionColumn(resolved.persona.version),
    persona_name: resolved.persona.name,
    api_key_id: apiKeyId,
    user_id: userId,
    client_label: clientLabel,
    client_metadata_json: clientMetadata === null ? null : JSON.stringify(clientMetadata),
    session_type: resolved.sessionType,
    start_time: at,
    end_time: null,
    exit_status: null,
    end_reason: null,
    end_message: null,
    engine_id: settings.PARLEY_ENGINE_ID,
    engine_host: url.host,
    engine_protocol: url.protocol.slice(0, -1),
    region: settings.PARLEY_REGION,
    share_link_id: visitor?.shareLinkId ?? null,
    snapshot_json: JSON.stringify(snapshotOf(resolved)),
    llm_id: resolved.parts.llm.kind === 'custom' ? resolved.parts.llm.row.id : null,
    prices_json: null,
    llm_prices_json: null,
    grading_json: gradingOf(resolved),
    grade: null,
    zero_data_retention: Number(resolved.config.zeroDataRetention),
    expired_at: null,
    is_erased: 0,
    created_at: at,
    updated_at: at,
  };
}

/** With zero data retention nobody is asked: there will be nothing to read. */
function gradingOf({ config, persona }: ResolvedSession): string | null {
  return persona.grading === null || config.zeroDataRetention ? null : JSON.stringify(persona.grading);
}

/** Opens its record, and starts it in the engine. */
async function begin(
  control: StartSessionParts,
  { visitor, startedBy, ended }: SessionStarter,
  { sessionOptions, realtime }: SessionRequest,
  { config, room, llm, llmSource, warnings }: ResolvedSession,
  { holder, place, giveBack, giveBackUse }: Admission,
  row: SessionRow,
): Promise<void> {
  const { id: sessionId } = row;
  const closed = (end: SessionEnd | null): void => {
    giveBack();
    ended?.(end?.reason ?? null);
    // The answer got lost, or the visitor went away: there was no conversation.
    if (end?.connected === false) void giveBackUse();
  };
  const left = (): void => {
    control.slots.leave(sessionId);
    place.giveBack();
  };
  await control.sessions.begin(row, closed, startedBy, left);
  const onlyOrigin = visitor?.origin ?? null;
  const shareLinkId = visitor?.shareLinkId ?? null;
  await control.engine.createSession(
    { ...config, sessionId, isVisitor: visitor !== null },
    {
      llm,
      knowledge: control.knowledge,
      warnings,
      ...(onlyOrigin !== null && { onlyOrigin }),
      ...(room !== null && { room }),
      ...(realtime !== undefined && { realtime }),
      head: writeHead({
        holder,
        llm: llmSource,
        onlyOrigin,
        startedAt: row.start_time,
        startedBy: startedBy ?? null,
        shareLinkId,
      }),
    },
  );
  if (placementRequest(sessionOptions).policy === 'strict') control.cluster?.keepInRegion(sessionId);
  await place.startedAs(sessionId);
  if (shareLinkId !== null) await endIfWithdrawn(control, shareLinkId, sessionId);
}

/** @returns what a client is told of an error of the engine: another engine may take the session. */
function refusalOf({ log }: Pick<StartSessionParts, 'log'>, error: unknown): unknown {
  if (error instanceof CapacityError)
    return new PlaceRefused(error.reason === 'busy' ? sessionErrors.machineBusy : sessionErrors.concurrentSessions);
  if (error instanceof AvatarUnavailableError) {
    log.warn({ err: error }, 'a session was not taken, because its face is not here');
    return new PlaceRefused(sessionErrors.avatarUnavailable);
  }
  if (error instanceof VoiceUnavailableError) {
    log.warn({ err: error }, 'a session was not taken, because its voice is not here');
    return new PlaceRefused(sessionErrors.voiceUnavailable);
  }
  return error;
}

/** Null: it is not a saved one. */
export function personaIdOf({ personaConfig }: SessionRequest): string | null {
  return personaConfig.type === 'stateful' ? personaConfig.persona.personaId : null;
}

/** Where a session with these options may run. */
export function placementRequest({ region, regionPolicy = 'preferred' }: SessionOptions): PlacementRequest {
  return { region: region ?? null, policy: regionPolicy };
}
