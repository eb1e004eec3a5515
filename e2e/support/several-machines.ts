import type { Redis } from 'ioredis';
import pino from 'pino';
import type { ServiceAddress } from '../../bench/lib/call-api.ts';
import { KEY_PREFIX, openRedis } from '../../control/store/redis.ts';
import { postgresPrograms } from '../../control/testing/postgres.ts';
import { hasRedis } from '../../control/testing/private-redis.ts';
import { hasLoadBalancer, startLoadBalancer, type LoadBalancer } from './load-balancer.ts';
import { openMachineNetwork, type Machine, type MachineNetwork } from './machine-network.ts';
import { openNodes, type RunningNodes } from './nodes.ts';
import type { RunningService } from './service.ts';
import { networkObstacle } from './test-network.ts';
import { startTurnServer, type TurnServer } from './turn-server.ts';

/** Who has had a session. */
export interface Owner {
  readonly fence: number;
  readonly engine: string;
}

/**
 * Nodes with the API behind a load balancer, engines, and a TURN server, each on a machine of its own. PostgreSQL, Redis,
 * the load balancer and whoever calls are on another one: this. Of all machines, only the TURN server reaches outside.
 */
export interface SeveralMachines<Id extends string> {
  readonly network: MachineNetwork;
  readonly nodes: RunningNodes;
  /** Those with the API. */
  readonly controls: readonly RunningService[];
  /** Those that run, or did. */
  readonly engines: ReadonlyMap<Id, RunningService>;
  /** Where clients reach all of it. */
  readonly service: ServiceAddress;
  machineOf(id: Id): Machine;
  startEngine(id: Id, env?: Record<string, string>): Promise<void>;
  /** How many sessions an engine has; 0 if it does not run. */
  liveOn(id: Id): Promise<number>;
  /** Who has had a session, in this order, as Redis knows it. */
  ownersOf(sessionId: string): Promise<readonly Owner[]>;
  close(): Promise<void>;
}

const CONTROLS = 2;
const API_KEY = 'a-key-of-both-nodes-with-the-api';
/** More than come: what is tested is not who is refused. */
const PLACES = '60';

/** @returns why there cannot be several machines here; null when there can. */
export function severalMachinesObstacle(): string | null {
  if (!hasRedis() || postgresPrograms() === null || !hasLoadBalancer())
    return 'Redis, PostgreSQL or HAProxy is missing';
  return networkObstacle();
}

/**
 * @param regions of the engines. @param later those that are not started yet. Always `close` it.
 */
export async function openSeveralMachines<Id extends string>(
  regions: Readonly<Record<Id, string>>,
  later: readonly Id[],
): Promise<SeveralMachines<Id>> {
  const ids = Object.keys(regions) as Id[];
  const network = await openMachineNetwork(CONTROLS + 1 + ids.length);
  const [relay, ...others] = network.machines;
  const machines = new Map(ids.map((id, index) => [id, others[CONTROLS + index]!]));
  const controls: RunningService[] = [];
  const engines = new Map<Id, RunningService>();
  let [nodes, turn, balancer, redis]: [RunningNodes?, TurnServer?, LoadBalancer?, Redis?] = [];

  async function close(): Promise<void> {
    redis?.disconnect();
    await Promise.all([...engines.values(), ...controls].map((node) => node.stop()));
    await balancer?.stop();
    await turn?.stop();
    await nodes?.stop();
    network.close();
  }

  try {
    const started = await openNodes(network.ownAddress);
    nodes = started;
    const peers = [...machines.values()].map(({ address }) => address);
    await network.outside.reach(relay!);
    turn = await startTurnServer(relay!.address, { peers, namespace: relay!.namespace });
    const common = { PARLEY_ICE_SERVERS: turn.urls, PARLEY_TURN_SECRET: turn.secret, PARLEY_MAX_SESSIONS: PLACES };
    const startEngine = async (id: Id, env: Record<string, string> = {}): Promise<void> => {
      const all = { ...common, PARLEY_ROLE: 'engine', PARLEY_REGION: regions[id], ...env };
      engines.set(id, await started.start(id, all, machines.get(id)));
    };
    const startControl = async (machine: Machine, index: number): Promise<void> => {
      const env = { ...common, PARLEY_ROLE: 'control', PARLEY_API_KEY: API_KEY };
      controls.push(await started.start(`control-${index}`, env, machine));
    };
    const [first, ...rest] = ids.filter((id) => !later.includes(id));
    // It draws the face for all.
    await startEngine(first!);
    await Promise.all([...rest.map((id) => startEngine(id)), ...others.slice(0, CONTROLS).map(startControl)]);
    balancer = await startLoadBalancer(controls.map(({ url }) => url));
    const records = await openRedis(nodes.redis.url, pino({ level: 'silent' }));
    redis = records;
    return {
      network,
      nodes,
      controls,
      engines,
      service: { url: balancer.url, apiKey: API_KEY },
      machineOf: (id) => machines.get(id)!,
      startEngine,
      liveOn: (id) => liveOn(engines.get(id)),
      ownersOf: (sessionId) => ownersOf(records, sessionId),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function liveOn(engine: RunningService | undefined): Promise<number> {
  const answer = await fetch(`${engine?.url}/readyz`).catch(() => null);
  return ((await answer?.json()) as { activeSessions: number } | undefined)?.activeSessions ?? 0;
}

async function ownersOf(records: Redis, sessionId: string): Promise<readonly Owner[]> {
  const owners = (await records.hget(`${KEY_PREFIX}session:${sessionId}`, 'owners').catch(() => null)) ?? '';
  return owners.split(';').flatMap((text) => {
    const [fence, engine] = text.split(' ');
    return engine === undefined ? [] : [{ fence: Number(fence), engine }];
  });
}
