import { throwEngineUnreachable } from './forward-request.ts';
import type { Engine } from '../../../engine/ports.ts';
import type { Cluster } from '../../cluster/cluster.ts';

/**
 * Ends a session, whichever node has it. @returns false when no such session is live. @throws HttpError 503 when its node
 * does not answer.
 */
export async function stopSession(
  { engine, cluster }: { readonly engine: Engine; readonly cluster: Cluster | null },
  sessionId: string,
  reason: 'stopped_by_api' | 'share_link_withdrawn',
): Promise<boolean> {
  if (engine.stopSession(sessionId, reason)) return true;
  if (cluster === null) return false;
  return cluster.stop(sessionId, reason).catch(throwEngineUnreachable);
}
