import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresPrograms } from '../control/testing/postgres.ts';
import { hasRedis } from '../control/testing/private-redis.ts';
import { openLightClient } from './support/light-client.ts';
import { openNodes, type RunningNodes } from './support/nodes.ts';
import type { RunningService } from './support/service.ts';

interface Concurrency {
  readonly limit: number;
  readonly active: number;
}

/** Two processes on one PostgreSQL and one Redis, and clients that only know the first. */
describe.skipIf(!hasRedis() || postgresPrograms() === null)('Two nodes', () => {
  let nodes: RunningNodes;
  let a: RunningService;
  let b: RunningService;

  beforeAll(async () => {
    nodes = await openNodes();
    a = await nodes.start('a');
    b = await nodes.start('b');
  });
  afterAll(async () => {
    await Promise.all([a?.stop(), b?.stop()]);
    await nodes?.stop();
  });

  const concurrency = () => a.api<Concurrency & Record<string, unknown>>('GET', '/v1/sessions/concurrency');
  const liveOn = async (node: RunningService): Promise<number> => {
    const answer = await fetch(`${node.url}/readyz`);
    return ((await answer.json()) as { activeSessions: number }).activeSessions;
  };

  it('are one service: conversations of the second go on through the first, until the second is killed', async () => {
    const first = await openLightClient(a);
    const second = await openLightClient(a);
    expect([await liveOn(a), await liveOn(b)]).toEqual([1, 1]);
    expect(await concurrency()).toMatchObject({ limit: 40, active: 2 });
    await Promise.all([first.ask('Hello.'), second.ask('Hello.')]);
    const sessionId = (await liveOn(a)) === 1 ? second.sessionId : first.sessionId;
    expect((await a.api<{ id: string }>('GET', `/v1/sessions/${sessionId}`)).id).toBe(sessionId);

    const third = await openLightClient(b);
    await a.api('POST', `/v1/sessions/${third.sessionId}/stop`);
    await expect.poll(() => third.signals.map(({ actionType }) => actionType)).toContain('endsession');
    third.close();

    const sockets = [first, second].map(({ socket }) => once(socket, 'close'));
    await b.kill();
    const [code] = (await Promise.race(sockets)) as [number];
    expect(code).toBe(1012);
    await expect.poll(async () => (await concurrency()).limit).toBe(20);
    await expect.poll(async () => (await concurrency()).active).toBe(1);
    const fourth = await openLightClient(a);
    await fourth.ask('Are you still there?');
    expect(await liveOn(a)).toBe(2);
    for (const client of [first, second, fourth]) client.close();
  });
});
