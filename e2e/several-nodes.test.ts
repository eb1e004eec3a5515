import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresPrograms } from '../control/testing/postgres.ts';
import { hasRedis } from '../control/testing/private-redis.ts';
import { openHeadlessConversation, type HeadlessConversation } from '../bench/lib/headless-conversation.ts';
import { openNodes, type RunningNodes } from './support/nodes.ts';
import type { RunningService } from './support/service.ts';
import { clockAhead, hasFakeTime } from './support/fake-time.ts';

interface Concurrency {
  readonly limit: number;
  readonly active: number;
}

/**
 * More than the clocks of machines differ while anybody looks after them, and less than a signed request may be old.
 */
const AHEAD_SECONDS = 30;

const clocks = hasFakeTime ? `clocks ${AHEAD_SECONDS} s apart` : 'equal clocks: libfaketime is missing';

/** Two processes on one PostgreSQL and one Redis, whose clocks differ, and clients that only know the first. */
describe.skipIf(!hasRedis() || postgresPrograms() === null)(`Two nodes (${clocks})`, () => {
  let nodes: RunningNodes;
  let a: RunningService;
  let b: RunningService;
  let control: RunningService | undefined;
  const users: HeadlessConversation[] = [];

  beforeAll(async () => {
    nodes = await openNodes();
    a = await nodes.start('a');
    b = await nodes.start('b', hasFakeTime ? clockAhead(AHEAD_SECONDS) : {});
  });
  afterAll(async () => {
    for (const user of users) user.close();
    await Promise.all([a?.stop(), b?.stop(), control?.stop()]);
    await nodes?.stop();
  });

  const come = async (node: RunningService): Promise<HeadlessConversation> => {
    const user = await openHeadlessConversation(node);
    users.push(user);
    return user;
  };
  const concurrency = () => a.api<Concurrency & Record<string, unknown>>('GET', '/v1/sessions/concurrency');
  const liveOn = async (node: RunningService): Promise<number> => {
    const answer = await fetch(`${node.url}/readyz`);
    return ((await answer.json()) as { activeSessions: number }).activeSessions;
  };

  /** Without the library all else was tried with equal clocks, and nobody was told. */
  (hasFakeTime ? it : it.skip)('have clocks that differ', { tags: ['nightly'] }, async () => {
    const [here, there] = await Promise.all([a, b].map(({ url }) => fetch(`${url}/healthz`)));
    const time = (answer: Response | undefined): number => Date.parse(answer!.headers.get('date')!);
    expect(time(there) - time(here)).toBeGreaterThan((AHEAD_SECONDS / 2) * 1000);
  });

  // In every run: one-service.long.test.ts with engines that are none, and moving-sessions.test.ts.
  const title =
    'are one service: conversations of the second go on through the first, until it is killed, and start on a third';
  it(title, { tags: ['nightly'] }, async () => {
    const first = await come(a);
    const second = await come(a);
    expect([await liveOn(a), await liveOn(b)]).toEqual([1, 1]);
    expect(await concurrency()).toMatchObject({ limit: 40, active: 2 });
    await Promise.all([first.ask('Hello.'), second.ask('Hello.')]);
    const sessionId = (await liveOn(a)) === 1 ? second.sessionId : first.sessionId;
    expect((await a.api<{ id: string }>('GET', `/v1/sessions/${sessionId}`)).id).toBe(sessionId);

    const third = await come(b);
    await a.api('POST', `/v1/sessions/${third.sessionId}/stop`);
    await expect.poll(() => third.client.ended()).toBe('Session was stopped.');

    const sockets = [first, second].map(({ client }) => once(client.signaling, 'close'));
    await b.kill();
    const [code] = (await Promise.race(sockets)) as [number];
    expect(code).toBe(1012);
    await expect.poll(async () => (await concurrency()).limit).toBe(20);
    // The session of the second goes on in the first.
    await expect.poll(() => liveOn(a)).toBe(2);
    await expect.poll(async () => (await concurrency()).active).toBe(2);
    const fourth = await come(a);
    await fourth.ask('Are you still there?');
    expect(await liveOn(a)).toBe(3);

    control = await nodes.start('control', { PARLEY_ROLE: 'control' });
    const fifth = await come(control);
    await fifth.ask('Who has this session?');
    expect(await liveOn(a)).toBe(4);
    const { data } = await control.api<{ data: { imageUrl: string }[] }>('GET', '/v1/avatars');
    expect((await fetch(data[0]!.imageUrl)).headers.get('content-type')).toBe('image/jpeg');
  });
});
