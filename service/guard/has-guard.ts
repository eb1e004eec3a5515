/**
 * Whether the process of these settings is a node whose sessions can go on elsewhere: only then it helps to tell the clients
 * of one that died. The settings are not read here, because a guard is to cost little; if they are wrong, the node says so.
 */
export function hasGuard(environment: Readonly<Record<string, string | undefined>>): boolean {
  const { REDIS_URL: redis, PARLEY_NODE_URL: nodeUrl, PARLEY_ROLE: role } = environment;
  return Boolean(redis && nodeUrl) && role !== 'control';
}
