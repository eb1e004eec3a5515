import { afterEach, describe, expect, it } from 'vitest';
import pino from 'pino';
import { freePort } from '../../runtime/testing/free-port.ts';
import { type PrivateRedis, startPrivateRedis } from '../testing/private-redis.ts';
import { openSilentProxy } from '../testing/silent-proxy.ts';
import { openRedis } from './redis.ts';

describe('Redis', () => {
  let server: PrivateRedis | null = null;
  const logged: string[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(line) });
  afterEach(async () => {
    await server?.stop();
    server = null;
    logged.length = 0;
  });

  it('answers, fails at once while it is away, and comes back by itself', async () => {
    server = await startPrivateRedis();
    const redis = await openRedis(server.url, log);
    expect(await redis.ping()).toBe('PONG');
    await server.kill();
    await expect.poll(() => redis.status).not.toBe('ready');
    await expect(redis.ping()).rejects.toThrow();
    // Redis starts within some 20 ms: without this, it can be back before the first attempt to connect fails.
    const complaints = (): string[] => logged.filter((line) => line.includes('does not answer'));
    await expect.poll(complaints).toHaveLength(1);
    await server.restart();
    await expect.poll(() => redis.ping().catch(() => null)).toBe('PONG');
    expect(complaints()).toHaveLength(1);
    expect(logged.some((line) => line.includes('answers again'))).toBe(true);
    redis.disconnect();
  });

  /** A fail-over, or a firewall that forgot the connection: commands timed out one after the other, for ever. */
  it('that was silent is used again by a new connection', async () => {
    server = await startPrivateRedis();
    const proxy = await openSilentProxy(Number(new URL(server.url).port));
    const redis = await openRedis(`redis://127.0.0.1:${proxy.port}`, log);
    expect(await redis.ping()).toBe('PONG');
    proxy.fallSilent();
    await expect(redis.ping()).rejects.toThrow();
    proxy.restore();
    await expect.poll(() => redis.ping().catch(() => null)).toBe('PONG');
    redis.disconnect();
    await proxy.close();
  });

  it('that is not there is named at the start', async () => {
    const url = `redis://:secret@127.0.0.1:${await freePort()}`;
    const error = await openRedis(url, log).catch((caught: unknown) => caught as Error);
    expect(error).toMatchObject({ name: 'StartError', message: expect.stringContaining('ECONNREFUSED') });
    expect((error as Error).message).not.toContain('secret');
  });

  it('that wants another password is named at the start', async () => {
    server = await startPrivateRedis('right');
    const url = server.url.replace('right', 'wrong');
    await expect(openRedis(url, log)).rejects.toThrow(/REDIS_URL: Redis does not answer \(WRONGPASS/);
  });
});
