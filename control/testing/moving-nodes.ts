import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Redis } from 'ioredis';
import pino from 'pino';
import { systemTimers, type Timers } from '../../runtime/clock.ts';
import type { RestorableSession } from '../../engine/index.ts';
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
  const timers = unlessStalled(() => isStalled);
  const { server, url } = await answering(() => answers);
  const registry = new EngineRegistryInRedis(redis);
  const engine = { id, region, url, version: '1' };
  const lease = new EngineLease({ registry, engine, places: () => places, timers, log });
  const lost: string[] = [];
  const over: string[] = [];
  const taken = new Map<string, readonly string[]>();
  const noteLost = (sessionId: string): void => void lost.push(sessionId);
  const journals = new JournalsInRedis({ redis, engineId: id, region, lost: noteLost, timers, log });
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
  const takeovers = new Takeovers({ moves, client, ...takersOf(node, journals, lease, over), timers, log });
  await lease.start();
  takeovers.start();
  return node;
}

/** The address of a node. @param answers whether it says anything. */
async function answering(answers: () => boolean): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((_request, response) => {
    if (answers()) response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** What the node does with sessions that it takes over. @param over gets those that nobody could take. */
function takersOf(node: MovingNode, journals: JournalsInRedis, lease: EngineLease, over: string[]) {
  const assertWilling = (): void => {
    if (node.refuses) throw new Error('This node refuses.');
  };
  return {
    journals,
    lease,
    async restore({ sessionId, entries }: RestorableSession): Promise<void> {
      assertWilling();
      lease.hold();
      node.taken.set(sessionId, entries);
      journals.open(sessionId);
    },
    async expect({ sessionId, entries }: RestorableSession): Promise<void> {
      assertWilling();
      node.expected.set(sessionId, entries);
    },
    expectNoMore: (sessionId: string) => void node.expected.delete(sessionId),
    giveUp: (sessionIds: readonly string[]) => void over.push(...sessionIds),
    tell: () => {},
  };
}

function unlessStalled(isStalled: () => boolean): Timers {
  return {
    ...systemTimers,
    setTimeout: (run, ms) => systemTimers.setTimeout(() => (isStalled() ? undefined : run()), ms),
  };
}
