import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Redis } from 'ioredis';
import pino from 'pino';
import { systemTimers, type Timers } from '../../runtime/clock.ts';
import { EngineLease } from '../placement/engine-lease.ts';
import { EngineRegistryInRedis } from '../placement/engine-registry-in-redis.ts';
import { JournalsInRedis } from '../migration/journals-in-redis.ts';
import { MovesInRedis } from '../migration/moves-in-redis.ts';
import { NodeClient } from '../cluster/node-client.ts';
import { openRedis } from '../store/redis.ts';
import { Takeovers } from '../migration/takeover.ts';

/** A node without sessions of its own kind: what it takes over is a journal. */
export interface MovingNode {
  readonly lease: EngineLease;
  readonly journals: JournalsInRedis;
  readonly moves: MovesInRedis;
  /** Sessions that it has taken over, with their entries. */
  readonly taken: Map<string, readonly string[]>;
  /** Sessions that will come, with the entries so far. */
  readonly expected: Map<string, readonly string[]>;
  readonly takeovers: Takeovers;
  readonly lost: string[];
  readonly over: string[];
  /** It takes nothing over, although it has places. */
  refuses: boolean;
  /** Begins a session here. */
  begin(sessionId: string, entries: readonly string[]): Promise<void>;
  /** It does nothing any more by itself. @param how whether its address refuses, or says nothing. */
  stall(how: 'killed' | 'stands still' | 'cut from Redis'): Promise<void>;
  close(): Promise<void>;
}

export async function openMovingNode(
  redisUrl: string,
  id: string,
  { places, region = 'eu' }: { places: number; region?: string },
): Promise<MovingNode> {
  const log = pino({ level: 'silent' });
  const redis: Redis = await openRedis(redisUrl, log);
  let isStalled = false;
  let answers = true;
  const timers: Timers = {
    ...systemTimers,
    setTimeout: (run, ms) => systemTimers.setTimeout(() => (isStalled ? undefined : run()), ms),
  };
  const server = createServer((_request, response) => {
    if (answers) response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const registry = new EngineRegistryInRedis(redis);
  const lease = new EngineLease({
    registry,
    engine: { id, region, url, version: '1' },
    places: () => places,
    timers,
    log,
  });
  const lost: string[] = [];
  const over: string[] = [];
  const taken = new Map<string, readonly string[]>();
  const journals = new JournalsInRedis({
    redis,
    engineId: id,
    region,
    lost: (sessionId) => void lost.push(sessionId),
    timers,
    log,
  });
  const moves = new MovesInRedis(redis);
  const client = new NodeClient(timers, { read: (address) => address });
  const node: MovingNode = {
    lease,
    journals,
    moves,
    taken,
    expected: new Map(),
    get takeovers() {
      return takeovers;
    },
    lost,
    over,
    refuses: false,
    async begin(sessionId, entries) {
      lease.hold();
      const journal = journals.open(sessionId);
      for (const entry of entries) journal.append(entry, 'now');
      await journal.flush();
    },
    async stall(how) {
      isStalled = true;
      if (how === 'stands still') answers = false;
      if (how === 'killed') server.close();
      server.closeAllConnections();
    },
    async close() {
      takeovers.close();
      journals.close();
      client.close();
      await lease.close();
      server.closeAllConnections();
      server.close();
      redis.disconnect();
    },
  };
  const takeovers = new Takeovers({
    moves,
    journals,
    lease,
    client,
    async goOnWith({ sessionId, entries }) {
      if (node.refuses) throw new Error('This node refuses.');
      lease.hold();
      taken.set(sessionId, entries);
      journals.open(sessionId);
    },
    async expect({ sessionId, entries }) {
      if (node.refuses) throw new Error('This node refuses.');
      node.expected.set(sessionId, entries);
    },
    expectNoMore: (sessionId) => void node.expected.delete(sessionId),
    giveUp: (sessionIds) => void over.push(...sessionIds),
    tell: () => {},
    timers,
    log,
  });
  await lease.start();
  takeovers.start();
  return node;
}
