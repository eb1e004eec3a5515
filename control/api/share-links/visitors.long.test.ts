import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../testing/service.ts';
import { STOCK } from '../../testing/stock.ts';
import { describeOnBothDatabases } from '../../testing/stores.ts';

const SHOP = 'https://shop.example.com';
const EVIL = 'https://evil.example.com';
/** How the test client reaches the service: the pages of share links have this origin. */
const OWN = 'http://localhost';

describeOnBothDatabases('a visitor with a share link', (stores) => {
  let service: TestService;
  let personaId: string;
  beforeAll(async () => {
    service = await startTestService(await stores.open(), { settings: { PARLEY_MAX_SESSIONS_PER_ADDRESS: '1000' } });
    const persona = await service.send('POST', '/v1/personas', {
      name: 'Guide',
      avatarId: STOCK.avatar,
      systemPrompt: 'The password is swordfish.',
      widgetConfig: { callToAction: 'Ask the guide' },
    });
    personaId = persona.body.id;
  });
  afterAll(() => service.close());

  const linkWith = async (fields: object = {}): Promise<{ id: string; token: string }> => {
    const made = await service.send('POST', '/v1/share-links', { personaId, ...fields });
    expect(made.status, made.text).toBe(201);
    return made.body;
  };
  const ask = (token: string, origin: string | null = OWN) =>
    service.send('POST', '/v1/auth/share-link', { token }, null, origin === null ? {} : { origin });
  const look = (token: string, headers = {}) => service.send('GET', `/v1/shared/${token}`, undefined, null, headers);
  const start = (sessionToken: string, headers = {}) =>
    service.send('POST', '/v1/engine/session', {}, sessionToken, headers);
  const uses = async (id: string): Promise<number> =>
    (await service.send('GET', `/v1/share-links/${id}`)).body.usageCount;
  const endReason = async (sessionId: string): Promise<string | null> => {
    await service.sessions.flush();
    return (await service.send('GET', `/v1/sessions/${sessionId}`)).body.end_reason;
  };

  it('sees the persona and starts a session, and learns nothing of its configuration', async () => {
    const { id, token } = await linkWith();
    const seen = await look(token);
    expect(seen.body).toMatchObject({ persona: { name: 'Guide' }, widgetConfig: { callToAction: 'Ask the guide' } });
    const asked = await ask(token);
    expect(asked.status, asked.text).toBe(200);
    expect(decodeJwt(asked.body.sessionToken)).toMatchObject({ type: 'stateful', personaId, shareLinkId: id });
    for (const text of [seen.text, JSON.stringify(decodeJwt(asked.body.sessionToken))])
      expect(text).not.toContain('swordfish');
    expect(await uses(id)).toBe(0);
    const started = await start(asked.body.sessionToken);
    expect(started.status, started.text).toBe(200);
    expect(await uses(id)).toBe(1);
    expect((await service.send('GET', `/v1/sessions/${started.body.sessionId}`)).body.clientLabel).toBe('share-link');
  });

  it('holds no more conversations than the link allows, however many call at the same moment', async () => {
    const { id, token } = await linkWith({ usageLimit: 2 });
    const tokens = await Promise.all([ask(token), ask(token), ask(token)]);
    const answers = await Promise.all(tokens.map(({ body }) => start(body.sessionToken)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 429]);
    expect(answers.find(({ status }) => status === 429)?.body).toEqual({
      error: 'Usage limit reached',
      message: 'As many conversations were held with this link as it allows.',
    });
    expect(await uses(id)).toBe(2);
    for (const refused of [await ask(token), await look(token)])
      expect(refused).toMatchObject({ status: 429, body: { error: 'Usage limit reached' } });
    // One more is allowed.
    await service.send('PUT', `/v1/share-links/${id}`, { usageLimit: 3 });
    expect(await start(tokens[0].body.sessionToken)).toMatchObject({ status: 200 });
  });

  it('uses nothing up when the session cannot start, or nobody connects to it', async () => {
    const { id, token } = await linkWith();
    const { sessionToken } = (await ask(token)).body;
    const before = service.engine.capacity;
    service.engine.capacity = 0;
    expect((await start(sessionToken)).status).toBe(429);
    service.engine.capacity = before;
    expect(await uses(id)).toBe(0);
    const { sessionId } = (await start(sessionToken)).body;
    expect(await uses(id)).toBe(1);
    service.engine.end(sessionId, 30_000, 'never_connected');
    await expect.poll(() => uses(id)).toBe(0);
    const held = (await start(sessionToken)).body.sessionId;
    service.engine.connect(held);
    service.engine.end(held, 30_000, 'client_disconnected');
    expect(await endReason(held)).toBe('client_disconnected');
    expect(await uses(id)).toBe(1);
  });

  /** Only `never_connected` gave the use back: a session that was stopped before anybody had connected kept it. */
  it('uses nothing up when the session ends before anybody connected, whatever ended it', async () => {
    const { id, token } = await linkWith();
    const { sessionToken } = (await ask(token)).body;
    const stopped = (await start(sessionToken)).body.sessionId;
    expect((await service.send('POST', `/v1/sessions/${stopped}/stop`)).status).toBe(200);
    await expect.poll(() => uses(id)).toBe(0);
    await start(sessionToken);
    expect(await uses(id)).toBe(1);
    await service.send('PUT', `/v1/share-links/${id}`, { enabled: false });
    await expect.poll(() => uses(id)).toBe(0);
  });

  /**
   * The database failed between the start in the engine and the last look at the link. The visitor got an error, and the
   * engine kept the session until it expired: a place that nobody counted.
   */
  it('leaves no session in the engine when its start fails after that', async () => {
    const { id, token } = await linkWith();
    const { sessionToken } = (await ask(token)).body;
    const live = service.engine.liveSessions();
    const { schema } = service.store.db;
    const create = service.engine.createSession;
    service.engine.createSession = async function (...args) {
      const started = await create.apply(this, args);
      await schema.alterTable('share_links').renameTo('share_links_away').execute();
      return started;
    };
    try {
      expect((await start(sessionToken)).status).toBe(500);
    } finally {
      service.engine.createSession = create;
      await schema.alterTable('share_links_away').renameTo('share_links').execute();
    }
    expect(service.engine.liveSessions()).toBe(live);
    expect((await start(sessionToken)).status).toBe(200);
    expect(await uses(id)).toBeGreaterThan(0);
  });

  it('is refused after the link expired, with a token from before too', async () => {
    const { token } = await linkWith({ expiresInHours: 1 });
    service.clock.now += 30 * 60_000;
    const { sessionToken } = (await ask(token)).body;
    service.clock.now += 30 * 60_000;
    for (const refused of [await look(token), await ask(token), await start(sessionToken)])
      expect(refused).toMatchObject({ status: 410, body: { error: 'Share link expired' } });
    const endless = await linkWith({ expiresInHours: null, usageLimit: null });
    service.clock.now += 20 * 365 * 86_400_000;
    expect((await ask(endless.token)).status).toBe(200);
  });

  it('is sent away while talking when the link is withdrawn', async () => {
    for (const withdraw of [
      (id: string) => service.send('DELETE', `/v1/share-links/${id}`),
      (id: string) => service.send('PUT', `/v1/share-links/${id}`, { enabled: false }),
    ]) {
      const { id, token } = await linkWith();
      const other = (await start((await ask((await linkWith()).token)).body.sessionToken)).body.sessionId;
      const { sessionToken } = (await ask(token)).body;
      const { sessionId } = (await start(sessionToken)).body;
      expect((await withdraw(id)).status).toBe(200);
      expect(await endReason(sessionId)).toBe('share_link_withdrawn');
      expect(service.engine.isLive(other)).toBe(true);
      for (const refused of [await look(token), await ask(token), await start(sessionToken)])
        expect(refused).toMatchObject({ status: 404, body: { error: 'Share link not found' } });
    }
  });

  it('talks from the pages of the service, and on web sites that the link allows', async () => {
    const own = await linkWith();
    const shop = await linkWith({ allowedOrigins: ['shop.example.com'] });
    const everywhere = await linkWith({ allowAllOrigins: true });
    for (const [link, origin, status] of [
      [own, OWN, 200],
      [own, SHOP, 403],
      [own, null, 403],
      [shop, OWN, 200],
      [shop, SHOP, 200],
      [shop, EVIL, 403],
      [shop, 'null', 403],
      [everywhere, EVIL, 200],
      [everywhere, null, 403],
    ] as const) {
      const answer = await ask(link.token, origin);
      expect(answer.status, `${origin}: ${answer.text}`).toBe(status);
      if (status === 200) expect(answer.headers['access-control-allow-origin']).toBe(origin);
      else expect(answer.body.error).toBe('Origin not allowed');
      if (origin !== null) expect((await look(link.token, { origin })).status).toBe(status);
    }
    const { sessionToken } = (await ask(shop.token, SHOP)).body;
    expect(await start(sessionToken, { origin: EVIL })).toMatchObject({
      status: 403,
      body: { error: 'Origin not allowed' },
    });
    const { sessionId } = (await start(sessionToken, { origin: SHOP })).body;
    expect(service.engine.live.get(sessionId)?.resources.onlyOrigin).toBe(SHOP);
    await service.send('PUT', `/v1/share-links/${shop.id}`, { allowedOrigins: [] });
    expect((await ask(shop.token, SHOP)).status).toBe(403);
  });

  it('learns nothing of links that do not exist', async () => {
    for (const token of [randomUUID(), 'x'.repeat(22)])
      for (const refused of [await look(token), await ask(token)])
        expect(refused).toMatchObject({ status: 404, body: { error: 'Share link not found' } });
    // They were answered with 400 and a regular expression.
    for (const token of ['short', 'no spaces please', 'x'.repeat(200)])
      for (const refused of [await look(encodeURIComponent(token)), await ask(token)])
        expect(refused).toMatchObject({ status: 404, body: { error: 'Share link not found' } });
  });
});

describeOnBothDatabases('visitors of one address', (stores) => {
  it('are limited in how often they ask', async () => {
    const service = await startTestService(await stores.open(), {
      settings: { PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE: '5' },
    });
    const look = () => service.send('GET', `/v1/shared/${'x'.repeat(22)}`, undefined, null);
    const statuses = [];
    for (let i = 0; i < 6; i += 1) statuses.push((await look()).status);
    expect(statuses).toEqual([404, 404, 404, 404, 404, 429]);
    await service.close();
  });
});
