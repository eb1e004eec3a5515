import { randomUUID } from 'node:crypto';
import type { Engine } from '../../engine/ports.ts';
import { CapacityError } from '../../engine/ports.ts';
import type { Caller } from '../access/api-keys.ts';
import { type Control, isoTime } from '../context.ts';
import { HttpError } from '../errors.ts';
import { clientConfigOf } from './client-config.ts';
import type { SessionRequest } from './persona-config.ts';
import { resolveSession } from './resolve-session.ts';
import { snapshotOf } from './snapshot.ts';

export interface SessionStarter {
  readonly caller: Pick<Caller, 'organizationId' | 'entitlements'>;
  /** Key that minted the token or started the session. */
  readonly apiKeyId: string | null;
  /** Address under which the client reaches this service. */
  readonly baseUrl: string;
}

/**
 * Resolves what is asked for and hands it to the engine.
 * @throws HttpError 400, 403, 404 for the request; 429 when every slot is taken; 503 without a running engine.
 */
export async function startSession(control: Control, starter: SessionStarter, request: SessionRequest) {
  const { engine, settings } = control;
  const { caller } = starter;
  const resolved = await resolveSession(control, caller, request);
  requireCapacity(engine, settings.PARLEY_MAX_SESSIONS_PER_ORGANIZATION ?? null, caller.organizationId);
  if (request.sessionOptions.regionPolicy === 'strict' && request.sessionOptions.region !== settings.PARLEY_REGION) {
    throw new HttpError('noEngines', { message: `No engine runs in the region "${request.sessionOptions.region}".` });
  }

  const sessionId = randomUUID();
  const config = { ...resolved.config, sessionId };
  const url = new URL(starter.baseUrl);
  const at = isoTime(control.now());
  await control.sessions.begin({
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
    snapshot_json: JSON.stringify(snapshotOf(resolved)),
    zero_data_retention: Number(config.zeroDataRetention),
    expired_at: null,
    created_at: at,
    updated_at: at,
  });
  try {
    await engine.createSession(config, { llm: resolved.llm, knowledge: control.knowledge });
  } catch (error) {
    await control.sessions.abandon(sessionId);
    if (error instanceof CapacityError) throw new HttpError('concurrentSessions');
    throw error;
  }
  return {
    sessionId,
    region: settings.PARLEY_REGION,
    engineHost: url.host,
    engineProtocol: url.protocol === 'https:' ? ('https' as const) : ('http' as const),
    signallingEndpoint: control.signallingPath,
    clientConfig: clientConfigOf(settings, sessionId, config.maxSessionLengthSeconds, control.now()),
  };
}

function requireCapacity(engine: Engine, perOrganization: number | null, organizationId: string): void {
  const status = engine.status();
  if (!status.ready) throw new HttpError('noEngines');
  const organizationFull = perOrganization !== null && engine.liveSessions(organizationId) >= perOrganization;
  if (organizationFull || status.activeSessions >= status.capacity) throw new HttpError('concurrentSessions');
}
