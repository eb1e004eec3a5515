import { unwrap } from '../../control/settings/unwrap.ts';

/**
 * Whether a process with these settings is a node whose sessions can continue on other nodes. Only then it helps to
 * tell the clients of a dead process. The settings are not validated here, because a guard has to be cheap; the node
 * does that.
 */
export function needsGuard(environment: Readonly<Record<string, string | undefined>>): boolean {
  const { REDIS_URL: redis, PARLEY_NODE_URL: nodeUrl, PARLEY_ROLE: role } = unwrap(environment);
  return Boolean(redis && nodeUrl) && role !== 'control';
}
