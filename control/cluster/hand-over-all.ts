import type { Engine } from '../../engine/ports.ts';
import type { Logger } from '../../engine/log.ts';
import type { Cluster } from './cluster.ts';

/**
 * Hands the sessions of this node to other engines, one after the other. It ends when none is left that can move, or no
 * other engine has a place. Never rejects.
 * @returns how many went.
 */
export async function handOverAll(
  engine: Pick<Engine, 'handOver'>,
  cluster: Pick<Cluster, 'placement' | 'canMove' | 'hasMoved' | 'movable'>,
  log: Logger,
): Promise<number> {
  let gone = 0;
  for (const sessionId of cluster.movable()) {
    const free = await cluster.placement.count().then(
      (count) => count.free,
      () => 0,
    );
    if (free <= 0) break;
    if (!cluster.canMove(sessionId) || !(await engine.handOver(sessionId))) continue;
    gone += 1;
    if (!(await cluster.hasMoved(sessionId)))
      log.warn({ sessionId }, 'a session was handed over, and nobody has it yet');
  }
  if (gone > 0) log.info({ sessions: gone }, 'sessions were handed over to other engines');
  return gone;
}
