import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemTimers } from '../../runtime/clock.ts';
import { hasRedis, type PrivateRedis, startPrivateRedis } from '../testing/private-redis.ts';
import { JournalsInRedis, type JournalsInRedisOptions } from './journals-in-redis.ts';
import { KEY_PREFIX, openRedis } from '../store/redis.ts';

describe.skipIf(!hasRedis())('The journal of a session in Redis', () => {
  const log = pino({ level: 'silent' });
  let server: PrivateRedis;
  let redis: Redis;
  const opened: JournalsInRedis[] = [];
  let lost: string[];
  let id: string;

  beforeAll(async () => {
    server = await startPrivateRedis();
    redis = await openRedis(server.url, log);
  });
  beforeEach(() => {
    lost = [];
    id = randomUUID();
  });
  afterEach(() => {
    for (const journals of opened.splice(0)) journals.close();
  });
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });

  const of = (engineId: string, limits: Pick<JournalsInRedisOptions, 'largest' | 'most'> = {}): JournalsInRedis => {
    const told = (sessionId: string): void => void lost.push(`${engineId} ${sessionId}`);
    const journals = new JournalsInRedis({
      redis,
      engineId,
      region: 'eu',
      lost: told,
      timers: systemTimers,
      log,
      ...limits,
    });
    opened.push(journals);
    return journals;
  };
  const entries = async (): Promise<string[]> =>
    (await redis.xrange(`${KEY_PREFIX}journal:${id}`, '-', '+')).map(([, [, text]]) => text!);
  const known = (field: string): Promise<string | null> => redis.hget(`${KEY_PREFIX}session:${id}`, field);
  const leftOf = (): Promise<string[]> => redis.keys(`*${id}*`);

  it('is stored in order, with the state that belongs to it, and is gone at the end', async () => {
    const journal = of('one').open(id);
    for (let n = 0; n < 300; n += 1) journal.append(`entry ${n}`, n % 7 === 0 ? 'now' : 'soon');
    journal.state('after all', 'soon');
    journal.append('x'.repeat(300_000), 'soon');
    await journal.flush();
    expect((await entries()).slice(0, 300)).toEqual(Array.from({ length: 300 }, (_, n) => `entry ${n}`));
    expect(await known('entries')).toBe('301');
    expect(await known('state')).toBe('after all');
    expect(await redis.smembers(`${KEY_PREFIX}sessions:one`)).toContain(id);
    expect(await redis.pttl(`${KEY_PREFIX}journal:${id}`)).toBeGreaterThan(0);
    journal.close();
    journal.append('too late', 'now');
    await expect.poll(leftOf).toEqual([]);
    expect(await redis.smembers(`${KEY_PREFIX}sessions:one`)).not.toContain(id);
  });

  it('is written anew to a Redis that has lost it, and what came meanwhile as well', async () => {
    const journal = of('one').open(id);
    journal.append('before', 'now');
    journal.state('early', 'now');
    await journal.flush();
    await server.kill();
    journal.append('meanwhile', 'now');
    journal.state('late', 'now');
    await journal.flush();
    await server.restart();
    await expect.poll(() => entries().catch(() => [])).toEqual(['before', 'meanwhile']);
    await expect.poll(() => known('state')).toBe('late');
  });

  it('of a session that ended while Redis was away is deleted when it is back', async () => {
    const journal = of('one').open(id);
    journal.append('first', 'now');
    await journal.flush();
    redis.disconnect(true);
    journal.close();
    await expect.poll(() => leftOf().catch(() => null)).toEqual([]);
  });

  it('is refused when another process has the session, which is said once', async () => {
    const first = of('one').open(id);
    first.append('first', 'now');
    await first.flush();
    await takenBy('two', of('two'));
    first.append('of a process that stood still', 'now');
    await expect.poll(() => lost).toEqual([`one ${id}`]);
    first.append('and more', 'now');
    first.close();
    await first.flush();
    expect(await entries()).toEqual(['first']);
    expect(await known('engine')).toBe('two');
    expect(lost).toHaveLength(1);
  });

  it('belongs to the later owner, also when Redis has lost who that is', async () => {
    const first = of('one').open(id);
    first.append('first', 'now');
    await first.flush();
    const two = of('two');
    const fence = await takenBy('two', two);
    two.take(id, { fence, entries: ['first'], isStrict: false });
    const second = two.open(id);
    await server.restart();
    await expect.poll(() => redis.status).toBe('ready');
    second.append('second', 'now');
    await expect
      .poll(() => {
        first.append('of the past', 'now');
        return lost;
      })
      .toEqual([`one ${id}`]);
    await expect.poll(entries).toEqual(['first', 'second']);
    expect(await known('fence')).toBe(fence);
  });

  it('goes on where the owner before it stopped', async () => {
    const first = of('one').open(id);
    first.append('first', 'now');
    await first.leave();
    expect(await redis.zscore(`${KEY_PREFIX}moving`, id)).not.toBeNull();
    first.append('late', 'now');
    const two = of('two');
    const fence = await takenBy('two', two);
    two.take(id, { fence, entries: ['first'], isStrict: false });
    const second = two.open(id);
    second.append('second', 'now');
    await second.flush();
    expect(await entries()).toEqual(['first', 'second']);
    expect((await known('owners'))!.match(/ (one|two);/g)).toEqual([' one;', ' two;']);
  });

  it('is given up as a whole when it is too large, and the session goes on', async () => {
    const journals = of('one', { largest: 1000 });
    const journal = journals.open(id);
    journal.append('x'.repeat(900), 'now');
    await journal.flush();
    expect(journals.has(id)).toBe(true);
    journal.append('x'.repeat(200), 'now');
    expect(journals.has(id)).toBe(false);
    journal.append('more', 'now');
    await expect.poll(leftOf).toEqual([]);
    expect(lost).toEqual([]);
  });

  /** As another process does that takes sessions over. @returns its fence. */
  async function takenBy(engineId: string, { life }: JournalsInRedis): Promise<string> {
    const hash = `${KEY_PREFIX}session:${id}`;
    const fence = String(Number(await redis.hget(hash, 'fence')) + 1);
    const owners = (await redis.hget(hash, 'owners')) ?? '';
    await redis.hset(hash, { engine: engineId, life, fence, owners: `${owners}${fence} ${engineId};` });
    return fence;
  }
});
