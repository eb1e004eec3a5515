import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FakeEngine } from '../testing/fake-engine.ts';
import { PASSWORD, signedInUser } from '../testing/signed-in-user.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { STOCK } from '../testing/stock.ts';
import { describeOnSqlite } from '../testing/stores.ts';

const LIMIT = 5;

describeOnSqlite('who sends too much', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open(), {
      settings: { PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE: String(LIMIT), PARLEY_TRUST_PROXY: 'true' },
    });
  });
  afterAll(async () => service.close());

  let addresses = 0;
  const freshAddress = (): Record<string, string> => ({ 'x-forwarded-for': `198.51.100.${(addresses += 1)}` });
  const repeated = async (times: number, send: () => Promise<{ status: number }>): Promise<number[]> => {
    const statuses: number[] = [];
    for (let i = 0; i < times; i += 1) statuses.push((await send()).status);
    return statuses;
  };
  const guess = (from: Record<string, string>) =>
    service.send('GET', '/v1/personas', undefined, `guess-${randomUUID()}`, from);

  it('guesses keys: is refused without a look at the key', async () => {
    const from = freshAddress();
    expect(await repeated(LIMIT + 3, () => guess(from))).toEqual([...Array<number>(LIMIT).fill(401), 429, 429, 429]);
    const refused = await guess(from);
    expect(refused.body).toMatchObject({ error: 'Too many requests' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    // Not even a right key, if it was never used: an attacker must not learn it by guessing.
    expect(
      (await service.send('GET', '/v1/personas', undefined, await service.keyWith(['personas']), from)).status,
    ).toBe(429);
    expect((await guess(freshAddress())).status).toBe(401);
  });

  it('guesses keys from the address of somebody with a key: the key goes on working', async () => {
    const from = freshAddress();
    const list = () => service.send('GET', '/v1/personas', undefined, service.key, from);
    expect((await list()).status).toBe(200);
    await repeated(LIMIT + 1, () => guess(from));
    // Long after it was looked up last.
    service.clock.now += 3_600_000;
    expect((await list()).status).toBe(200);
  });

  it('tries wrong session tokens or upload tokens: is told to wait; right ones work', async () => {
    const from = freshAddress();
    const { body } = await service.send('POST', '/v1/auth/session-token', {
      personaConfig: { avatarId: STOCK.avatar },
    });
    const wrong = `${body.sessionToken.slice(0, -4)}AAAA`;
    expect(await repeated(LIMIT + 1, () => service.send('POST', '/v1/engine/session', {}, wrong, from))).toEqual([
      ...Array<number>(LIMIT).fill(401),
      429,
    ]);
    expect((await service.send('POST', '/v1/engine/session', {}, body.sessionToken, from)).status).toBe(200);
    const upload = () =>
      service.send('POST', `/v1/knowledge/groups/${randomUUID()}/documents`, undefined, null, {
        ...from,
        'x-upload-token': 'no',
      });
    expect((await upload()).status).toBe(429);
  });

  it('guesses the password of one account from many addresses: nobody is told any more whether it is right', async () => {
    const { email } = await signedInUser(service, 'viewer');
    const signIn = (password: string) =>
      service.send('POST', '/v1/sign-ins', { email, password }, null, freshAddress());
    expect((await signIn(PASSWORD)).status).toBe(201);
    expect(await repeated(11, () => signIn('wrong'))).toEqual([...Array<number>(10).fill(401), 429]);
    expect((await signIn(PASSWORD)).status).toBe(429);
  });

  it('guesses passwords of many accounts from one address: costs no more than a part of a core', async () => {
    const open = await startTestService(service.store);
    const accounts = await Promise.all([1, 2, 3, 4].map(() => signedInUser(open, 'viewer')));
    const statuses: number[] = [];
    for (const { email } of accounts)
      statuses.push(
        ...(await repeated(8, () => open.send('POST', '/v1/sign-ins', { email, password: 'wrong' }, null))),
      );
    expect(statuses).toEqual([...Array<number>(30).fill(401), 429, 429]);
    await open.close();
  });

  it('lets a persona talk without end: is refused for this session, others are heard', async () => {
    const start = async (): Promise<string> =>
      (await service.send('POST', '/v1/engine/session', { personaConfig: { avatarId: STOCK.avatar } })).body.sessionId;
    const [first, second] = [await start(), await start()];
    const from = freshAddress();
    const talk = (sessionId: string) =>
      service.send('POST', `/talk?session_id=${sessionId}`, { content: 'Again.' }, null, from);
    expect(await repeated(LIMIT + 2, () => talk(first))).toEqual([...Array<number>(LIMIT).fill(200), 429, 429]);
    expect((await talk(second)).status).toBe(200);
    expect(await repeated(LIMIT + 1, () => talk(randomUUID()))).toEqual([...Array<number>(LIMIT).fill(404), 429]);
    expect((await talk(second)).status).toBe(200);
  });

  it('gives a session more text than it takes: is told to wait', async () => {
    const { sessionId } = (
      await service.send('POST', '/v1/engine/session', { personaConfig: { avatarId: STOCK.avatar } })
    ).body;
    const refused = await service.send(
      'POST',
      `/talk?session_id=${sessionId}`,
      { content: FakeEngine.TOO_MUCH },
      null,
      freshAddress(),
    );
    expect(refused).toMatchObject({
      status: 429,
      body: { error: 'Too many requests', message: 'This session was given more text than it can say.' },
    });
  });

  it('has a key: is not limited unless the settings say so, then by key', async () => {
    expect(await repeated(LIMIT * 3, () => service.send('GET', '/v1/personas'))).not.toContain(429);
    const limited = await startTestService(service.store, { settings: { PARLEY_RATE_LIMIT_PER_MINUTE: '3' } });
    expect(await repeated(4, () => limited.send('GET', '/v1/personas'))).toEqual([200, 200, 200, 429]);
    expect((await limited.send('GET', '/v1/personas', undefined, limited.otherKey)).status).toBe(200);
    await limited.close();
  });
});
