import type { SessionConfig, SessionResources } from '../../actors/session-config.ts';
import { RealtimeEndpoint, type RealtimeEndpointOptions } from './realtime-endpoint.ts';

export { RealtimeEndpoint };

/** @returns null where the session's client uses WebRTC. */
export function openRealtimeEndpoint(
  { sessionId, personaId, personaName, greeting }: SessionConfig,
  { realtime }: Pick<SessionResources, 'realtime'>,
  session: Pick<RealtimeEndpointOptions, 'dispatch' | 'enter'>,
): RealtimeEndpoint | null {
  if (realtime === undefined) return null;
  const { initialMessage } = greeting;
  return new RealtimeEndpoint({
    ...session,
    ...realtime,
    sessionId,
    model: personaId ?? personaName,
    greeting: initialMessage,
  });
}
