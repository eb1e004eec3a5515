import { randomUUID } from 'node:crypto';
import type { EndReason, SessionEnd } from '../../../actors/report.ts';
import type { TraceContext } from '../../../engine/index.ts';
import { AvatarUnavailableError, CapacityError, VoiceUnavailableError } from '../../../engine/ports.ts';
import type { Caller } from '../../access/api-keys.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { type ClientConfigSettings, clientConfigOf } from './client-config.ts';
import type { SessionRequest } from './persona-config.ts';
import type { PlaceWish, TakenPlace, EnginePlaces } from '../../placement/engine-places.ts';
import { PlaceRefused } from '../../placement/place-refused.ts';
import { resolveSession, type ResolveSessionParts } from './resolve-session.ts';
import { unlessUnavailable } from './visitor-errors.ts';
import type { SessionOptions } from './session-options.ts';
import type { SessionRow } from '../../store/tables.ts';
import type { SlotVisitor, SessionSlots } from '../../placement/session-slots.ts';
import { writeHead } from './session-head.ts';
import { sessionErrors } from '../../errors/session-errors.ts';
import { snapshotOf } from './snapshot.ts';
import { endIfWithdrawn, takeLinkUse, type LinkUsesParts } from './link-uses.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Knowledge } from '../../api/knowledge/knowledge.ts';
import type { SessionStore } from '../records/session-store.ts';
import type { Reservations } from '../../placement/reservations.ts';
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

export interface SessionStarter {
  readonly caller: Pick<Caller, 'organizationId' | 'entitlements'>;
  /** Key that minted the token or started the session. */
  readonly apiKeyId: string | null;
  /** Null for callers with an API key, or with a session token from one. */
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
  const { engine, settings } = control;
  const { caller } = starter;
  const resolving = resolveSession(control, caller, request);
  const resolved = await (starter.visitor === null
    ? resolving
    : unlessUnavailable(control.log, personaIdOf(request), resolving));
  const { visitor } = starter;
  const { organizationId } = caller;
  const { inviteId } = starter;
  const place = taken ?? control.places.take(wishOf(request.sessionOptions));
  const holder = { organizationId, visitor, ...(inviteId !== undefined && { inviteId }) };
  const sessionId = randomUUID();
  const slot = await control.slots.take(holder, sessionId).catch((error: unknown) => {
    place.giveBack();
    throw error;
  });
  const freeSlot = (): void => {
    slot();
    place.giveBack();
  };
  // The place that was kept free is now taken.
  if (inviteId !== undefined) control.reservations.drop(inviteId);
  const linkId = visitor?.shareLinkId ?? null;
  const giveBackUse =
    linkId === null
      ? async () => {}
      : await takeLinkUse(control, linkId).catch((error: unknown) => {
          freeSlot();
          throw error;
        });
  const config = { ...resolved.config, sessionId, isVisitor: visitor !== null };
  const url = new URL(starter.baseUrl);
  const at = isoTime(control.now());
  const row: SessionRow = {
    id: sessionId,
    organization_id: caller.organizationId,
    persona_id: resolved.persona.id,
    persona_name: resolved.persona.name,
    api_key_id: starter.apiKeyId,
    client_label: request.clientLabel,
    client_metadata_json: request.clientMetadata === null ? null : JSON.stringify(request.clientMetadata),
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
    share_link_id: linkId,
    snapshot_json: JSON.stringify(snapshotOf(resolved)),
    zero_data_retention: Number(config.zeroDataRetention),
    expired_at: null,
    is_erased: 0,
    created_at: at,
    updated_at: at,
  };
  try {
    const closed = (end: SessionEnd | null): void => {
      freeSlot();
      starter.ended?.(end?.reason ?? null);
      // The answer got lost, or the visitor went away: there was no conversation.
      if (end?.connected === false) void giveBackUse();
    };
    const left = (): void => {
      control.slots.leave(sessionId);
      place.giveBack();
    };
    await control.sessions.begin(row, closed, starter.startedBy, left);
    const onlyOrigin = visitor?.origin ?? null;
    await engine.createSession(config, {
      llm: resolved.llm,
      knowledge: control.knowledge,
      warnings: resolved.warnings,
      ...(onlyOrigin !== null && { onlyOrigin }),
      head: writeHead({
        holder,
        llm: resolved.llmSource,
        onlyOrigin,
        startedAt: at,
        startedBy: starter.startedBy ?? null,
        shareLinkId: linkId,
      }),
    });
    if (wishOf(request.sessionOptions).policy === 'strict') control.cluster?.keepInRegion(sessionId);
    await place.startedAs(sessionId);
    if (linkId !== null) await endIfWithdrawn(control, linkId, sessionId);
  } catch (error) {
    freeSlot();
    control.sessions.abandon(sessionId);
    // If the engine has it already: nobody would learn of it, and it would wait for a client until it expires.
    engine.stopSession(sessionId, 'engine_error');
    await giveBackUse();
    if (error instanceof CapacityError) throw new PlaceRefused();
    if (error instanceof AvatarUnavailableError) {
      control.log.warn({ err: error }, 'a session was not taken, because its face is not here');
      throw new PlaceRefused(sessionErrors.avatarUnavailable);
    }
    if (error instanceof VoiceUnavailableError) {
      control.log.warn({ err: error }, 'a session was not taken, because its voice is not here');
      throw new PlaceRefused(sessionErrors.voiceUnavailable);
    }
    throw error;
  }
  return {
    sessionId,
    region: settings.PARLEY_REGION,
    // Clients put `/talk` behind it, and the endpoint of the signaling behind its host alone.
    engineHost: url.host + prefixOfUrl(starter.baseUrl),
    engineProtocol: url.protocol === 'https:' ? ('https' as const) : ('http' as const),
    signallingEndpoint: prefixOfUrl(starter.baseUrl) + control.signalingPath,
    clientConfig: clientConfigOf(settings, sessionId, config.maxSessionLengthSeconds, control.now()),
  };
}

/** Null: it is not a saved one. */
export function personaIdOf({ personaConfig }: SessionRequest): string | null {
  return personaConfig.type === 'stateful' ? personaConfig.persona.personaId : null;
}

/** Where a session with these options may run. */
export function wishOf({ region, regionPolicy = 'preferred' }: SessionOptions): PlaceWish {
  return { region: region ?? null, policy: regionPolicy };
}
