import type { Redis } from 'ioredis';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type MovingNode, openMovingNode } from '../testing/moving-nodes.ts';
import { hasRedis, type PrivateRedis, startPrivateRedis } from '../testing/private-redis.ts';
import { EngineRegistryInRedis } from '../placement/engine-registry-in-redis.ts';
import { ENGINE_LEASE_MS } from '../placement/lease.ts';
import { MovesInRedis } from './moves-in-redis.ts';
import { KEY_PREFIX, openRedis } from '../store/redis.ts';

describe.skipIf(!hasRedis())('Sessions of an engine', () => {
  const log = pino({ level: 'silent' });
  const nodes: MovingNode[] = [];
  let server: PrivateRedis;
  let redis: Redis;
  let registry: EngineRegistryInRedis;

  beforeAll(async () => {
    server = await startPrivateRedis();
    redis = await openRedis(server.url, log);
    registry = new EngineRegistryInRedis(redis);
  });
  beforeEach(() => redis.flushall());
  afterEach(async () => {
    await Promise.all(nodes.splice(0).map((node) => node.close()));
  });
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });

  const open = async (id: string, places: number, region?: string): Promise<MovingNode> => {
    const node = await openMovingNode(server.url, id, { places, ...(region !== undefined && { region }) });
    nodes.push(node);
    return node;
  };
  const sessions = (count: number): string[] => Array.from({ length: count }, (_, n) => `session ${n}`);
  const ownersOf = async (session: string): Promise<string[]> =>
    ((await redis.hget(`${KEY_PREFIX}session:${session}`, 'owners')) ?? '').split(';').filter((text) => text !== '');

  it.each(['killed', 'stands still'] as const)(
    'that is %s go on, each on one other engine, by free places',
    async (how) => {
      const first = await open('first', 12);
      const [large, small] = [await open('large', 20), await open('small', 10)];
      for (const session of sessions(12)) await first.begin(session, [`of ${session}`, 'more']);
      await first.stall(how);
      await expect.poll(() => large.taken.size + small.taken.size).toBe(12);
      expect([large.taken.size, small.taken.size]).toEqual([8, 4]);
      for (const session of sessions(12)) {
        expect(large.taken.get(session) ?? small.taken.get(session)).toEqual([`of ${session}`, 'more']);
        const owners = await ownersOf(session);
        expect(owners.map((owner) => owner.split(' ')[1])).toEqual([
          'first',
          large.taken.has(session) ? 'large' : 'small',
        ]);
        const [before, after] = owners.map((owner) => Number(owner.split(' ')[0]));
        expect(after).toBeGreaterThan(before!);
      }
      expect([...large.over, ...small.over]).toEqual([]);
      expect(await registry.findLost('first', [...sessions(12), 'unknown'])).toEqual(sessions(12));
      expect(await registry.findLost('large', sessions(12))).toEqual([]);
    },
  );

  it('that answers others stay there, although it does not reach Redis', async () => {
    const first = await open('first', 4);
    const other = await open('other', 4);
    await first.begin('session', ['entry']);
    await first.stall('cut from Redis');
    const renewedTo = async (): Promise<number> => Number(await redis.zscore(`${KEY_PREFIX}engines`, 'first'));
    // Its lease is over again and again: it is late, and has its sessions.
    const lost = new Set<string>();
    for (let leases = 0; leases < 2; leases += 1) {
      const before = await renewedTo();
      await expect
        .poll(async () => {
          for (const id of await registry.findLost('first', ['session'])) lost.add(id);
          return renewedTo();
        })
        .toBeGreaterThan(before);
    }
    expect([...lost]).toEqual([]);
    expect(await other.moves.locate('session')).toMatchObject({ kind: 'live', node: { engineId: 'first' } });
    expect(other.taken.size).toBe(0);
  });

  it('stay where they are when Redis was away for longer than a lease, and has lost everything', async () => {
    const first = await open('first', 4);
    const other = await open('other', 4);
    await first.begin('session', ['entry']);
    await server.kill();
    await new Promise((resolve) => setTimeout(resolve, ENGINE_LEASE_MS + 1000));
    await server.restart();
    const owner = { kind: 'live', node: { engineId: 'first' } };
    await expect.poll(() => other.moves.locate('session').catch(() => null)).toMatchObject(owner);
    expect(other.taken.size).toBe(0);
    expect(first.lost).toEqual([]);
    await first.stall('killed');
    await expect.poll(() => other.taken.get('session')).toEqual(['entry']);
  });

  it('that gives one away go on elsewhere, and nobody finds them nowhere meanwhile', async () => {
    const first = await open('first', 4);
    const other = await open('other', 4);
    const journal = first.journals.open('session');
    journal.append('entry', 'now');
    await first.lease.drain();
    await journal.leave();
    expect(['moving', 'live']).toContain((await other.moves.locate('session')).kind);
    await expect.poll(() => other.taken.get('session')).toEqual(['entry']);
    expect(await other.moves.locate('session')).toMatchObject({ kind: 'live', node: { engineId: 'other' } });
    expect([...(await other.moves.findLive(['session', 'another']))]).toEqual(['session']);
  });

  it('that hands one over go on in the engine that has read it before, and was chosen for that', async () => {
    const first = await open('first', 4);
    const other = await open('other', 4);
    const journal = first.journals.open('session');
    journal.append('one', 'now');
    journal.append('two', 'now');
    await journal.flush();
    await first.lease.drain();
    const chosen = await first.moves.choose('session', first.journals.life, []);
    expect(chosen?.engineId).toBe('other');
    expect(await first.moves.choose('session', first.journals.life, ['other'])).toBeNull();
    await first.moves.choose('session', first.journals.life, []);
    await other.takeovers.expect('session');
    expect(other.expected.get('session')).toEqual(['one', 'two']);
    // Nobody takes it before it is given away.
    await other.takeovers.look();
    expect(await other.moves.locate('session')).toMatchObject({ kind: 'live', node: { engineId: 'first' } });
    journal.append('three', 'now');
    await journal.leave();
    await other.takeovers.take('session');
    expect(other.taken.get('session')).toEqual(['one', 'two', 'three']);
    expect((await other.moves.read('session')).entries).toEqual(['one', 'two', 'three']);
  });

  it('that could not go on with one are asked no more: the next one takes it', async () => {
    const first = await open('first', 4);
    const refusing = await open('refusing', 40);
    refusing.refuses = true;
    const last = await open('last', 4);
    last.lease.hold();
    await expect.poll(() => redis.hget(`${KEY_PREFIX}engine:last`, 'used')).toBe('1');
    await first.begin('session', ['entry']);
    await first.stall('killed');
    await expect.poll(() => last.taken.get('session')).toEqual(['entry']);
    expect((await ownersOf('session')).map((owner) => owner.split(' ')[1])).toEqual(['first', 'refusing', 'last']);
  });

  // The engine had become the owner when it could not read the journal: nobody took the session from it.
  it('that could not read what happened in one may try again, and have it then', async () => {
    const first = await open('first', 4);
    const other = await open('other', 4);
    let failures = 2;
    const read = other.moves.read.bind(other.moves);
    other.moves.read = (...args) =>
      failures-- > 0 ? Promise.reject(new Error('Redis does not answer')) : read(...args);
    await first.begin('session', ['entry']);
    await first.stall('killed');
    await expect.poll(() => other.taken.get('session')).toEqual(['entry']);
    expect((await ownersOf('session')).map((owner) => owner.split(' ')[1])).toEqual([
      'first',
      'other',
      'other',
      'other',
    ]);
  });

  it('that nobody has a place for are over after some time, which one engine is told', async () => {
    const first = await open('first', 4);
    const full = await open('full', 1);
    full.lease.hold();
    await first.begin('session', ['entry']);
    await first.stall('killed');
    await expect.poll(() => full.moves.locate('session')).toEqual({ kind: 'moving' });
    await expect.poll(() => redis.zscore(`${KEY_PREFIX}moving`, 'session')).not.toBeNull();
    await redis.zadd(`${KEY_PREFIX}moving`, 1, 'session');
    await expect.poll(() => full.over).toEqual(['session']);
    expect(await redis.keys('*session*')).toEqual([]);
    expect(await full.moves.locate('session')).toEqual({ kind: 'nowhere' });
  });

  // A node that declared an engine dead forgot what nobody had taken, and told nobody: the session looked live for ever.
  it('that are over when another engine is found dead are told to whoever found it', async () => {
    const moves = new MovesInRedis(redis);
    await redis.hset(`${KEY_PREFIX}engine:dead`, { fence: '1', region: 'eu', url: 'http://127.0.0.1:1' });
    await redis.hset(`${KEY_PREFIX}session:late`, { engine: 'earlier', life: '', fence: '1' });
    await redis.zadd(`${KEY_PREFIX}moving`, 1, 'late');
    const dead = await moves.declareDead({ engineId: 'dead', fence: '1', url: 'http://127.0.0.1:1' });
    expect(dead).toEqual({ sessions: 0, addresses: [], over: ['late'] });
    expect(await redis.keys('*late*')).toEqual([]);
  });

  it('that may not leave their region wait for an engine there; others go anywhere if none is near', async () => {
    const first = await open('first', 4, 'eu');
    const far = await open('far', 4, 'us');
    await first.begin('bound', ['entry']);
    first.journals.keepInRegion('bound');
    await first.begin('free', ['entry']);
    await expect.poll(() => redis.hget(`${KEY_PREFIX}session:bound`, 'strict')).toBe('1');
    await first.stall('killed');
    await expect.poll(() => [...far.taken.keys()]).toEqual(['free']);
    const near = await open('near', 4, 'eu');
    await expect.poll(() => [...near.taken.keys()]).toEqual(['bound']);
  });
});
