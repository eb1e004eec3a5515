import type { Control } from '../../app/control.ts';
import { sayEngineIsSilent } from './pass-on.ts';

/**
 * Ends a session, whichever node has it. @returns false when no such session is live. @throws HttpError 503 when its node
 * does not answer.
 */
export async function stopSession(
  { engine, cluster }: Pick<Control, 'engine' | 'cluster'>,
  sessionId: string,
  reason: 'stopped_by_api' | 'share_link_withdrawn',
): Promise<boolean> {
  if (engine.stopSession(sessionId, reason)) return true;
  if (cluster === null) return false;
  return cluster.stop(sessionId, reason).catch(sayEngineIsSilent);
}
