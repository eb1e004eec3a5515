import type { Redis } from 'ioredis';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnBothDatabases } from '../testing/stores.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { STOCK } from '../testing/stock.ts';
import { Reservations } from './reservations.ts';
import { systemTimers } from '../../runtime/clock.ts';
import { openRedis } from '../store/redis.ts';
import { SlotsInRedis } from './slots-in-redis.ts';
import { hasRedis, type PrivateRedis, startPrivateRedis } from '../testing/private-redis.ts';
import { SlotsInMemory } from './slots-in-memory.ts';
import { type SlotHolder, SessionSlots, type SlotLimits } from './session-slots.ts';

const HOUR_MS = 3_600_000;

/** Of this process, and of all processes together. */
const LEDGERS = [
  { where: 'in memory', missing: false, open: async (now: () => number) => new SlotsInMemory(now) },
  { where: 'in Redis', missing: !hasRedis(), open: openInRedis },
];

let server: PrivateRedis | null = null;
const opened: { readonly ledger: SlotsInRedis; readonly redis: Redis }[] = [];
afterAll(async () => {
  for (const { ledger, redis } of opened) {
    await ledger.close();
    redis.disconnect();
  }
  await server?.stop();
});

/** With nothing counted yet. */
async function openInRedis(now: () => number): Promise<SlotsInRedis> {
  const log = pino({ level: 'silent' });
  server ??= await startPrivateRedis();
  const redis = await openRedis(server.url, log);
  await redis.flushall();
  const ledger = new SlotsInRedis(redis, { timers: systemTimers, now, log });
  opened.push({ ledger, redis });
  return ledger;
}

describe.each(LEDGERS)('session slots $where', ({ missing, open }) => {
  let now = 0;
  const reserved = new Reservations(() => now);
  const slots = async (limits: Partial<SlotLimits> = {}): Promise<SessionSlots> =>
    new SessionSlots(
      { ofAll: () => 100, perOrganization: null, ofVisitors: null, perAddress: 100, ...limits },
      reserved,
      await open(() => now),
    );
  const owner: SlotHolder = { organizationId: 'one', visitor: null };
  const visitor = (tokenId: string, address = '198.51.100.7'): SlotHolder => ({
    organizationId: 'one',
    visitor: { tokenId, tokenExpiresAt: now + HOUR_MS, address },
  });
  const refusal = (taking: Promise<unknown>): Promise<string> =>
    taking.then(
      () => '',
      (error: unknown) => (error as Error).message,
    );

  it.skipIf(missing)('are counted for each organization, and come back once', async () => {
    const two = await slots({ perOrganization: 2 });
    const giveBack = await two.take(owner);
    await two.take(owner);
    expect(await refusal(two.take(owner))).toContain('This organization');
    await two.take({ organizationId: 'other', visitor: null });
    giveBack();
    giveBack();
    await two.take(owner);
    expect(await refusal(two.take(owner))).toContain('This organization');
  });

  it.skipIf(missing)('are taken in one step', async () => {
    const ten = await slots({ perOrganization: 10 });
    const all = await Promise.all(Array.from({ length: 40 }, () => refusal(ten.take(owner))));
    expect(all.filter((text) => text === '')).toHaveLength(10);
  });

  it.skipIf(missing)('are few for the visitors of one address, and who has a key is not counted there', async () => {
    const few = await slots({ perAddress: 2 });
    const first = await few.take(visitor('a'));
    await few.take(visitor('b'));
    expect(await refusal(few.take(visitor('c')))).toContain('this network address');
    await few.take(visitor('c', '203.0.113.9'));
    await few.take(owner);
    first();
    await few.take(visitor('d'));
  });

  it.skipIf(missing)('go on with a session of another process, whatever the limits say', async () => {
    const one = await slots({ perOrganization: 1 });
    const giveBack = one.adopt(owner, 'a session that came');
    await expect.poll(() => one.isFree(owner)).toBe(false);
    giveBack();
    await expect.poll(() => one.isFree(owner)).toBe(true);
  });

  it.skipIf(missing)('can be kept from all visitors together', async () => {
    const one = await slots({ ofVisitors: 1 });
    await one.take(visitor('a'));
    expect(await refusal(one.take(visitor('b', '203.0.113.9')))).toContain('visitors');
    await one.take(owner);
  });

  it.skipIf(missing)('one token of a widget holds three at a time and starts ten in all, from anywhere', async () => {
    const many = await slots();
    const live = [];
    for (const n of [1, 2, 3]) live.push(await many.take(visitor('shared', `203.0.113.${n}`)));
    expect(await refusal(many.take(visitor('shared', '203.0.113.4')))).toContain('This token');
    for (const giveBack of live) giveBack();
    for (let n = 0; n < 7; n += 1) (await many.take(visitor('shared')))();
    expect(await refusal(many.take(visitor('shared')))).toContain('ask for a new one');
    await many.take(visitor('fresh'));
  });

  it.skipIf(missing)(
    'are kept free for meetings from their time on, in the whole and in the organization',
    async () => {
      now = 1000;
      reserved.set([{ inviteId: 'meeting', organizationId: 'one', from: 1000 + HOUR_MS }]);
      const three = await slots({ ofAll: () => 3, perOrganization: 2 });
      (await three.take(owner))();
      now += HOUR_MS;
      await three.take(owner);
      expect(await refusal(three.take(owner))).toContain('This organization');
      expect(await three.isFree(owner)).toBe(false);
      await three.take({ organizationId: 'other', visitor: null });
      expect(await refusal(three.take({ organizationId: 'other', visitor: null }))).toContain(
        'kept free for a meeting',
      );
      // The place is the meeting's own.
      expect(await three.isFree({ organizationId: 'one', inviteId: 'meeting' })).toBe(true);
      await three.take({ ...owner, inviteId: 'meeting' });
      reserved.drop('meeting');
      expect(await refusal(three.take({ organizationId: 'third', visitor: null }))).toContain('Every place is taken');
    },
  );
});

describe('session slots in memory', () => {
  it('forget tokens that ran out', async () => {
    let now = 0;
    const ledger = new SlotsInMemory(() => now);
    const start = (tokenId: string) => ledger.take([], { tokenId, most: 1, until: now + HOUR_MS });
    expect(await start('old')).toMatchObject({ taken: true });
    expect(await start('old')).toEqual({ taken: false, share: null });
    now += HOUR_MS;
    await start('new');
    // The token itself is refused by then. Its missing count shows that nothing is kept forever.
    expect(await start('old')).toMatchObject({ taken: true });
  });
});

describeOnBothDatabases('starts of sessions', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open(), {
      settings: {
        PARLEY_MAX_SESSIONS_PER_ORGANIZATION: '2',
        PARLEY_MAX_SESSIONS_PER_ADDRESS: '1',
        PARLEY_TRUST_PROXY: 'true',
      },
    });
  });
  afterAll(async () => service.close());
  const start = (key?: string | null, headers?: Record<string, string>) =>
    service.send('POST', '/v1/engine/session', { personaConfig: { avatarId: STOCK.avatar } }, key, headers);
  const stopAll = (): void => {
    for (const id of service.engine.live.keys()) service.engine.stopSession(id, 'stopped_by_api');
  };

  it('at the same moment never go over the limit of the organization', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => start()));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 429, 429, 429, 429]);
    expect(service.engine.liveSessions(service.organizationId)).toBe(2);
    expect((await start(service.otherKey)).status).toBe(200);
    stopAll();
    expect((await start()).status).toBe(200);
    stopAll();
  });

  it('that the engine refuses give their slot back', async () => {
    service.engine.capacity = 0;
    for (let i = 0; i < 3; i += 1) expect((await start()).status).toBe(429);
    service.engine.capacity = 20;
    service.engine.createSession = () => Promise.reject(new Error('the face is broken'));
    for (let i = 0; i < 3; i += 1) expect((await start()).status).toBe(500);
    Reflect.deleteProperty(service.engine, 'createSession');
    expect((await start()).status).toBe(200);
    stopAll();
  });

  it('by visitors of a widget are counted by their address, which they cannot invent', async () => {
    const widgetConfig = { allowedOrigins: ['https://shop.example.com'] };
    const agentId = (await service.send('POST', '/v1/personas', { avatarId: STOCK.avatar, widgetConfig })).body.id;
    const tokenOf = async () =>
      (await service.send('POST', '/v1/auth/widget', { agentId }, null, { origin: 'https://shop.example.com' })).body
        .sessionToken;
    const visit = async (forwarded: string) => (await start(await tokenOf(), { 'x-forwarded-for': forwarded })).status;
    expect(await visit('198.51.100.7')).toBe(200);
    expect(await visit('198.51.100.7')).toBe(429);
    expect(await visit('192.0.2.1, 198.51.100.7')).toBe(429);
    expect(await visit('198.51.100.8')).toBe(200);
    stopAll();
  });
});
