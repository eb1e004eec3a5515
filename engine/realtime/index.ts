import type { SessionConfig, SessionResources } from '../../actors/session-config.ts';
import { RealtimeFront, type FrontOptions } from './realtime-front.ts';

export { RealtimeFront };

/** @returns null where the session's client uses WebRTC. */
export function openFront(
  { sessionId, personaId, personaName, greeting }: SessionConfig,
  { realtime }: Pick<SessionResources, 'realtime'>,
  session: Pick<FrontOptions, 'dispatch' | 'enter'>,
): RealtimeFront | null {
  if (realtime === undefined) return null;
  const { initialMessage } = greeting;
  return new RealtimeFront({
    ...session,
    ...realtime,
    sessionId,
    model: personaId ?? personaName,
    greeting: initialMessage,
  });
}
