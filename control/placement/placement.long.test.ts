import type { Redis } from 'ioredis';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import { type EnginesInRedis, openEngines } from '../testing/engines-in-redis.ts';
import { hasRedis, type PrivateRedis, startPrivateRedis } from '../testing/private-redis.ts';
import { EngineRegistryInRedis } from './engine-registry-in-redis.ts';
import { ENGINE_RENEW_EVERY_MS } from './lease.ts';
import { Placement } from './placement.ts';
import { openRedis } from '../store/redis.ts';

const ANYWHERE = { region: null, policy: 'preferred' } as const;
const FULL = { status: 429, error: 'Concurrent session limit reached' };
const NOBODY = { status: 503, error: 'No engines available' };

describe.skipIf(!hasRedis())('A session is placed', () => {
  const log = pino({ level: 'silent' });
  let server: PrivateRedis;
  let redis: Redis;
  let placement: Placement;
  let engines: EnginesInRedis;

  beforeAll(async () => {
    server = await startPrivateRedis();
    redis = await openRedis(server.url, log);
    placement = new Placement(new EngineRegistryInRedis(redis), log);
  });
  beforeEach(async () => {
    await redis.flushall();
    engines = await openEngines(server.url);
  });
  afterEach(() => engines.close());
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });

  const reserve = (region: string | null = null, policy: 'preferred' | 'strict' = 'preferred', unwanted?: string[]) =>
    placement.reserve({ region, policy }, unwanted);
  /** Null: it was refused. */
  const reservedOn = (): Promise<string | null> =>
    reserve().then(
      ({ engineId }) => engineId,
      () => null,
    );

  it('only where there is a place, by however many nodes at once, and evenly', async () => {
    for (const id of ['one', 'two', 'three', 'four', 'five']) await engines.open(id, { places: 10 });
    const others = await Promise.all(Array.from({ length: 4 }, () => openRedis(server.url, log)));
    const nodes = [placement, ...others.map((other) => new Placement(new EngineRegistryInRedis(other), log))];
    const answers = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) => nodes[index % nodes.length]!.reserve(ANYWHERE)),
    );
    for (const other of others) other.disconnect();
    const taken = answers.filter((answer) => answer.status === 'fulfilled').map(({ value }) => value.engineId);
    const refused = answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => reason as unknown);
    expect(refused).toHaveLength(150);
    for (const reason of refused) expect(reason).toMatchObject(FULL);
    const counts = Map.groupBy(taken, (id) => id);
    expect([...counts.values()].map(({ length }) => length)).toEqual([10, 10, 10, 10, 10]);
    expect(await placement.count()).toEqual({ places: 50, free: 0 });
  });

  it('on the engine with the smallest share of its places taken', async () => {
    const large = await engines.open('large', { places: 10 });
    await engines.open('small', { places: 2 });
    for (let live = 0; live < 4; live += 1) await large.take(await reserve(null, 'preferred', ['small']));
    expect((await reserve()).engineId).toBe('small');
    expect((await reserve()).engineId).toBe('large');
  });

  it('in the region that it asks for: there or nowhere when it is strict, there first otherwise', async () => {
    await engines.open('europe', { region: 'eu', places: 1 });
    await engines.open('america', { region: 'us', places: 5 });
    expect((await reserve('eu')).engineId).toBe('europe');
    expect((await reserve('eu')).engineId).toBe('america');
    await expect(reserve('eu', 'strict')).rejects.toMatchObject(FULL);
    expect((await reserve('us', 'strict')).engineId).toBe('america');
    await expect(reserve('asia', 'strict')).rejects.toMatchObject({
      ...NOBODY,
      message: 'No engine runs in the region "asia".',
    });
  });

  it('nowhere without an engine, or when all drain', async () => {
    await expect(reserve()).rejects.toMatchObject(NOBODY);
    const lease = await engines.open('leaving', { places: 3 });
    await lease.drain();
    await expect(reserve()).rejects.toMatchObject(NOBODY);
  });

  it('by one request only: a reservation is taken once, and on no other life of the engine', async () => {
    const lease = await engines.open('one', { places: 3 });
    const first = await reserve();
    const place = await lease.take(first);
    await expect(lease.take(first)).rejects.toMatchObject(FULL);
    const second = await reserve();
    await lease.close();
    const again = await engines.open('one', { places: 3 });
    expect(Number(again.fence)).toBeGreaterThan(Number(second.fence));
    await expect(again.take(second)).rejects.toMatchObject(FULL);
    place.giveBack();
    await expect.poll(() => placement.count()).toEqual({ places: 3, free: 3 });
  });

  it('again when the session before it is over', async () => {
    const lease = await engines.open('one', { places: 1 });
    const place = await lease.take(await reserve());
    await expect(reserve()).rejects.toMatchObject(FULL);
    place.giveBack();
    place.giveBack();
    await expect.poll(() => placement.count()).toEqual({ places: 1, free: 1 });
  });

  it('again when the node that reserved died before it sent the session', async () => {
    await engines.open('one', { places: 1 });
    const lost = await reserve();
    await expect(reserve()).rejects.toMatchObject(FULL);
    await engines.endReservations('one');
    await expect.poll(reservedOn).toBe('one');
    await placement.drop(lost);
  });

  it('not on an engine whose lease is over, until that one reports again', async () => {
    // It reports when the clock moves: a report just after the end of the lease would begin another one.
    const clock = new SimulatedClock();
    const lease = await engines.open('one', { places: 2 }, clock);
    const before = lease.fence;
    const place = await lease.take(await reserve());
    await place.startedAs('session');
    expect(await placement.ownerOf('session')).toEqual({ engineId: 'one', url: 'http://one.internal' });
    await engines.endLease('one');
    expect(await placement.ownerOf('session')).toBeNull();
    expect(await placement.engine('one')).toBeNull();
    await expect(reserve()).rejects.toMatchObject(NOBODY);
    clock.increment(ENGINE_RENEW_EVERY_MS);
    await expect.poll(() => placement.ownerOf('session')).toMatchObject({ engineId: 'one' });
    expect(lease.fence).toBe(before);
    expect(await placement.count()).toEqual({ places: 2, free: 1 });
  });

  it('only where engines are known again, after a Redis that has lost everything', async () => {
    const lease = await engines.open('one', { places: 2 });
    const before = Number(lease.fence);
    const place = await lease.take(await reserve());
    await place.startedAs('session');
    await server.restart();
    await expect.poll(() => placement.ownerOf('session').catch(() => null)).toMatchObject({ engineId: 'one' });
    expect(await placement.count()).toEqual({ places: 2, free: 1 });
    expect(Number(lease.fence)).toBeGreaterThan(before);
  });

  it('nowhere while Redis is away', async () => {
    await engines.open('one', { places: 2 });
    await server.kill();
    await expect.poll(() => redis.status).not.toBe('ready');
    await expect(reserve()).rejects.toMatchObject({ ...NOBODY, message: expect.stringContaining('try again soon') });
    await server.restart();
    await expect.poll(reservedOn).toBe('one');
  });
});
