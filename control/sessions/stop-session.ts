import { NodeUnreachable } from '../cluster/node-client.ts';
import type { Control } from '../context.ts';
import { HttpError } from '../errors.ts';
import { sessionErrors } from './session-errors.ts';

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
  return cluster.stop(sessionId, reason).catch((error: unknown) => {
    throw error instanceof NodeUnreachable
      ? new HttpError(sessionErrors.noEngines, { message: 'The engine of this session does not answer.' })
      : error;
  });
}
