import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRedis, type PrivateRedis, startPrivateRedis } from '../testing/private-redis.ts';
import { openTestNode, type TestNode } from '../testing/nodes.ts';
import { postgresPrograms } from '../testing/postgres.ts';
import { openSharedPostgres, type SharedPostgres } from '../testing/shared-postgres.ts';
import { startKillable } from '../testing/start-killable.ts';
import { IMAGE, STOCK } from '../testing/stock.ts';
import { INTERNAL_HEADER } from './internal-requests.ts';
import { STOP_PATH } from './internal-paths.ts';

/** Farther apart than clocks of machines are that anybody looks after. */
const CLOCK_AHEAD_MS = 30_000;
const PERSONA = { personaConfig: { avatarId: STOCK.avatar } };

describe.skipIf(!hasRedis() || postgresPrograms() === null)('Two nodes are one service', () => {
  let server: PrivateRedis;
  let postgres: SharedPostgres;
  let a: TestNode;
  let b: TestNode;

  beforeAll(async () => {
    server = await startPrivateRedis();
    postgres = await openSharedPostgres();
    const databaseUrl = await postgres.createMigrated();
    const both = { redisUrl: server.url, databaseUrl, settings: { PARLEY_MAX_SESSIONS_PER_ORGANIZATION: '8' } };
    a = await openTestNode({ ...both, id: 'a', places: 2 });
    b = await openTestNode({ ...both, id: 'b', places: 3, clockAheadMs: CLOCK_AHEAD_MS });
  });
  afterAll(async () => {
    await a?.close();
    await b?.close();
    await server.stop();
    await postgres.stop();
  });

  const start = (body: unknown = PERSONA, headers: Record<string, string> = {}) =>
    a.service.send('POST', '/v1/engine/session', body, undefined, { host: 'talk.example.com', ...headers });
  const free = async (): Promise<number> => (await a.cluster.placement.count()).free;
  const nothingRuns = async (): Promise<void> => {
    for (const { service } of [a, b])
      for (const id of service.engine.live.keys()) service.engine.stopSession(id, 'stopped_by_api');
    await expect.poll(free).toBe(5);
  };

  it('that has the places of both, and no more', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => start()));
    const started = answers.filter(({ status }) => status === 200);
    expect(started).toHaveLength(5);
    for (const { status, body } of answers.filter((answer) => !started.includes(answer)))
      expect({ status, error: body.error }).toEqual({ status: 429, error: 'Concurrent session limit reached' });
    expect([a.service.engine.live.size, b.service.engine.live.size]).toEqual([2, 3]);
    for (const { body } of started) expect(body.engineHost).toBe('talk.example.com');
    const { body } = await a.service.send('GET', '/v1/sessions/concurrency');
    expect(body).toEqual({ limit: 5, active: 5, canStartSession: false, estimatedWaitSeconds: null });
    await nothingRuns();
  });

  it('that says what is wrong with a request, even when it is full, and keeps no place for it', async () => {
    const wrong = await start({ personaConfig: { avatarId: 'nobody' } });
    expect(wrong.status).toBe(400);
    expect(await free()).toBe(5);
  });

  it('that speaks in and stops a session of the other node', async () => {
    const id = await startedOn(b);
    expect((await a.service.send('POST', `/talk?session_id=${id}`, { content: 'Hello.' }, null)).status).toBe(200);
    expect(b.service.engine.spoken.at(-1)).toEqual({ sessionId: id, content: 'Hello.' });
    expect((await a.service.send('POST', `/v1/sessions/${id}/stop`)).status).toBe(200);
    expect(b.service.engine.live.has(id)).toBe(false);
    expect((await a.service.send('POST', `/v1/sessions/${id}/stop`)).status).toBe(404);
    expect((await a.service.send('POST', `/talk?session_id=${id}`, { content: 'Hello?' }, null)).status).toBe(404);
    await nothingRuns();
  });

  it('whose engines are asked in turn when one refuses', async () => {
    // It has told its places, and is now busy with something else.
    b.service.engine.capacity = 0;
    const answers = [await start(), await start()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(a.service.engine.live.size).toBe(2);
    b.service.engine.capacity = 3;
    await nothingRuns();
  });

  it('whose engines are asked in turn when one does not have the face, and that says so if none has it', async () => {
    b.service.engine.unavailable.add('test-one');
    expect([(await start()).status, (await start()).status]).toEqual([200, 200]);
    expect([a.service.engine.live.size, b.service.engine.live.size]).toEqual([2, 0]);
    await nothingRuns();
    a.service.engine.unavailable.add('test-one');
    expect(await start()).toMatchObject({ status: 503, body: { error: 'Avatar is unavailable' } });
    for (const { service } of [a, b]) service.engine.unavailable.clear();
    await nothingRuns();
  });

  it('that counts an organization once, whichever node is asked', async () => {
    a.service.engine.capacity = 10;
    b.service.engine.capacity = 10;
    await expect.poll(free).toBe(20);
    const answers = await Promise.all(Array.from({ length: 12 }, () => start()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(8);
    await expect.poll(free).toBe(12);
    a.service.engine.capacity = 2;
    b.service.engine.capacity = 3;
    await nothingRuns();
  });

  it.each(['right', 'wrong'] as const)(
    'whose clocks differ: a token of the one with the %s one starts sessions on both',
    async (clock) => {
      const [maker, other] = clock === 'right' ? [a, b] : [b, a];
      const { body } = await maker.service.send('POST', '/v1/auth/session-token', PERSONA);
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => other.service.send('POST', '/v1/engine/session', undefined, body.sessionToken)),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      expect([a.service.engine.live.size, b.service.engine.live.size]).toEqual([2, 3]);
      await nothingRuns();
    },
  );

  it('that loses no place when one is killed in the middle of 200 starts', async () => {
    const own = await startPrivateRedis();
    const ofAll = { redisUrl: own.url, databaseUrl: await postgres.createMigrated() };
    const control = { PARLEY_ROLE: 'control' };
    const front = await openTestNode({ ...ofAll, id: 'front', places: 0, settings: control });
    const engines = await Promise.all(
      ['first', 'second'].map((id) => openTestNode({ ...ofAll, id, places: 25, settings: { PARLEY_ROLE: 'engine' } })),
    );
    const killed = await startKillable('killable-front.ts', [ofAll.redisUrl, ofAll.databaseUrl]);
    const live = (): number => engines.reduce((sum, { service }) => sum + service.engine.live.size, 0);
    const freePlaces = async (): Promise<number> => (await front.cluster.placement.count()).free;
    const statuses = (url: string, key: string, length: number): Promise<number>[] =>
      Array.from({ length }, async () => {
        const answer = await fetch(`${url}/v1/engine/session`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify(PERSONA),
        });
        await answer.body?.cancel();
        return answer.status;
      });

    const starts = statuses(killed.url, killed.key, 200);
    const ends = Promise.allSettled(starts);
    await Promise.race(starts);
    await killed.kill();
    const answered = (await ends).filter((end) => end.status === 'fulfilled' && end.value === 200);
    // A place is free again if no session came for it. An answer may be lost: a real engine ends a session that no client
    // connects to within 10 s.
    await expect.poll(async () => (await freePlaces()) + live()).toBe(50);
    expect(live()).toBeGreaterThanOrEqual(answered.length);
    for (const { service } of engines)
      for (const id of service.engine.live.keys()) service.engine.stopSession(id, 'stopped_by_api');
    await expect.poll(freePlaces).toBe(50);

    // These three nodes share a thread. On a busy machine, 200 at once hold it for longer than a node waits for Redis.
    const all: number[] = [];
    while (all.length < 200) all.push(...(await Promise.all(statuses(front.url, front.service.key, 20))));
    expect([200, 429].map((status) => all.filter((one) => one === status).length)).toEqual([50, 150]);
    expect(engines.map(({ service }) => service.engine.live.size)).toEqual([25, 25]);
    await Promise.all(engines.map((engine) => engine.close()));
    await front.close();
    await own.stop();
  });

  it('that believes no internal header from outside', async () => {
    const id = await startedOn(b);
    const forged = `${Buffer.from(JSON.stringify({ stop: { sessionId: id, reason: 'stopped_by_api' } })).toString('base64url')}.x`;
    const stop = (value: string) => b.service.send('POST', STOP_PATH, undefined, null, { [INTERNAL_HEADER]: value });
    expect((await stop(forged)).status).toBe(404);
    expect(b.service.engine.live.has(id)).toBe(true);
    expect((await start(PERSONA, { [INTERNAL_HEADER]: forged })).status).toBe(200);
    await nothingRuns();
  });

  it('of which one has the API and the other the sessions', async () => {
    const own = await startPrivateRedis();
    const both = { redisUrl: own.url, databaseUrl: await postgres.createMigrated(), region: 'us' };
    const front = await openTestNode({ ...both, id: 'front', places: 0, settings: { PARLEY_ROLE: 'control' } });
    const ready = () => front.service.send('GET', '/readyz', undefined, null);
    expect(await ready()).toMatchObject({ status: 503, body: { engine: 'down' } });
    expect((await fetch(`${front.url}/pictures/stock/${STOCK.avatar}/square`)).status).toBe(503);
    const engine = await openTestNode({ ...both, id: 'engine', places: 2, settings: { PARLEY_ROLE: 'engine' } });
    const body = { ...PERSONA, sessionOptions: { region: 'us' } };
    expect((await engine.service.send('POST', '/v1/engine/session', body)).status).toBe(404);
    expect((await engine.service.send('GET', '/v1/sessions')).status).toBe(404);
    expect((await engine.service.send('GET', '/readyz', undefined, null)).status).toBe(200);
    expect(await ready()).toMatchObject({ status: 200, body: { engine: 'ok', capacity: 2, freePlaces: 2 } });
    const { body: session } = await front.service.send('POST', '/v1/engine/session', body);
    expect([...engine.service.engine.live.keys()]).toEqual([session.sessionId]);
    expect((await front.service.send('POST', `/v1/sessions/${session.sessionId}/stop`)).status).toBe(200);
    expect(engine.service.engine.live.size).toBe(0);

    // What only an engine can make: a face as it is stored there, and a new one from a photo.
    const picture = await fetch(`${front.url}/pictures/stock/${STOCK.avatar}/square`, {
      headers: { origin: 'https://a.example' },
    });
    expect(picture.status).toBe(200);
    expect(picture.headers.get('access-control-allow-origin')).toBe('*');
    expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(0);
    const form = new FormData();
    form.set('displayName', 'Ada');
    form.set('imageFile', new Blob([new Uint8Array(IMAGE)], { type: 'image/png' }), 'ada.png');
    const made = await fetch(`${front.url}/v1/avatars`, {
      method: 'POST',
      headers: { authorization: `Bearer ${front.service.key}` },
      body: form,
    });
    const directly = await engine.service.send('GET', '/metrics', undefined, null);
    expect(directly.text).toContain('route="/v1/avatars"');
    expect(made.status).toBe(201);
    expect((await fetch(`${front.url}/v1/avatars`, { method: 'POST' })).status).toBe(401);
    await engine.close();
    await front.close();
    await own.stop();
  });

  it('that goes on with the other engine when one is gone', async () => {
    await b.service.app.close();
    const answers = [await start(), await start()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(a.service.engine.live.size).toBe(2);
  });

  /** @returns a session of that node that was started through the first one. */
  async function startedOn(node: TestNode): Promise<string> {
    for (;;) {
      const { body } = await start();
      if (node.service.engine.live.has(body.sessionId)) return body.sessionId;
    }
  }
});
