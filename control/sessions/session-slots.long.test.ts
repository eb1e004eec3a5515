import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnBothDatabases } from '../testing/stores.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { STOCK } from '../testing/stock.ts';
import { Reservations } from '../meetings/reservations.ts';
import { type SlotHolder, SessionSlots, type SlotLimits } from './session-slots.ts';

const HOUR_MS = 3_600_000;

describe('session slots', () => {
  let now = 0;
  const slots = (limits: Partial<SlotLimits> = {}): SessionSlots =>
    new SessionSlots(
      { ofAll: () => 100, perOrganization: null, ofVisitors: null, perAddress: 100, ...limits },
      reserved,
      () => now,
    );
  const reserved = new Reservations(() => now);
  const owner: SlotHolder = { organizationId: 'one', visitor: null };
  const visitor = (tokenId: string, address = '198.51.100.7'): SlotHolder => ({
    organizationId: 'one',
    visitor: { tokenId, tokenExpiresAt: now + HOUR_MS, address },
  });
  const refusal = (take: () => unknown): string => {
    try {
      take();
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('are counted for each organization, and come back once', () => {
    const two = slots({ perOrganization: 2 });
    const giveBack = two.take(owner);
    two.take(owner);
    expect(refusal(() => two.take(owner))).toContain('This organization');
    two.take({ organizationId: 'other', visitor: null });
    giveBack();
    giveBack();
    two.take(owner);
    expect(refusal(() => two.take(owner))).toContain('This organization');
  });

  it('are few for the visitors of one address, and who has a key is not counted there', () => {
    const few = slots({ perAddress: 2 });
    const first = few.take(visitor('a'));
    few.take(visitor('b'));
    expect(refusal(() => few.take(visitor('c')))).toContain('this network address');
    few.take(visitor('c', '203.0.113.9'));
    few.take(owner);
    first();
    few.take(visitor('d'));
  });

  it('can be kept from all visitors together', () => {
    const one = slots({ ofVisitors: 1 });
    one.take(visitor('a'));
    expect(refusal(() => one.take(visitor('b', '203.0.113.9')))).toContain('visitors');
    one.take(owner);
  });

  it('one token of a widget holds three at a time and starts ten in all, wherever it is used', () => {
    const many = slots();
    const live = [1, 2, 3].map((n) => many.take(visitor('shared', `203.0.113.${n}`)));
    expect(refusal(() => many.take(visitor('shared', '203.0.113.4')))).toContain('This token');
    for (const giveBack of live) giveBack();
    for (let n = 0; n < 7; n += 1) many.take(visitor('shared'))();
    expect(refusal(() => many.take(visitor('shared')))).toContain('ask for a new one');
    many.take(visitor('fresh'));
  });

  it('are kept free for meetings from their time on, in the whole and in the organization', () => {
    now = 1000;
    reserved.set([{ inviteId: 'meeting', organizationId: 'one', from: 1000 + HOUR_MS }]);
    const three = slots({ ofAll: () => 3, perOrganization: 2 });
    three.take(owner)();
    now += HOUR_MS;
    three.take(owner);
    expect(refusal(() => three.take(owner))).toContain('This organization');
    expect(three.isFree(owner)).toBe(false);
    three.take({ organizationId: 'other', visitor: null });
    expect(refusal(() => three.take({ organizationId: 'other', visitor: null }))).toContain('kept free for a meeting');
    // The place is the meeting's own.
    expect(three.isFree({ organizationId: 'one', inviteId: 'meeting' })).toBe(true);
    three.take({ ...owner, inviteId: 'meeting' });
    reserved.drop('meeting');
    expect(refusal(() => three.take({ organizationId: 'third', visitor: null }))).toContain('Every place is taken');
  });

  it('tokens that ran out are forgotten', () => {
    const many = slots();
    for (let n = 0; n < 10; n += 1) many.take(visitor('old'))();
    now += HOUR_MS;
    many.take(visitor('new'))();
    // The token itself is refused by then. Its missing count shows that nothing is kept forever.
    many.take(visitor('old'));
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
