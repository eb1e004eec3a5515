import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../testing/service.ts';
import { STOCK } from '../../testing/stock.ts';
import { describeOnSqlite } from '../../testing/stores.ts';
import { sessionRequests } from '../../api/sessions/testing/session-requests.ts';

const livekitToken = (identity = 'anam-avatar-agent', attributes: object = { 'lk.publish_on_behalf': 'agent-1' }) =>
  `header.${Buffer.from(JSON.stringify({ sub: identity, video: { roomJoin: true, room: 'lobby' }, attributes })).toString('base64url')}.signature`;

describeOnSqlite('a session in a LiveKit room', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open(), {
      settings: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' },
    });
  });
  afterAll(async () => service.close());
  const { start, token } = sessionRequests(() => service);
  const environment = { livekitUrl: 'wss://rooms.example.com', livekitToken: livekitToken() };
  const personaConfig = { type: 'ephemeral', name: 'Ada', avatarId: STOCK.avatar, llmId: 'CUSTOMER_CLIENT_V1' };

  it('is started by a token and an empty body, and by a key in one call, and nobody connects to it', async () => {
    const { sessionToken } = (await token({ personaConfig, environment })).body;
    for (const begin of [() => start({}, sessionToken), () => start({ personaConfig, environment })]) {
      const started = await begin();
      expect(started).toMatchObject({ sessionId: expect.any(String), signallingEndpoint: expect.any(String) });
      expect(started).not.toHaveProperty('engineHost');
      const { config, resources } = service.engine.live.get(started.sessionId)!;
      expect(resources.room).toEqual({
        url: environment.livekitUrl,
        token: environment.livekitToken,
        room: 'lobby',
        identity: 'anam-avatar-agent',
        agent: 'agent-1',
      });
      expect(config).toMatchObject({
        enableAudioPassthrough: true,
        llm: { kind: 'client' },
        greeting: { skip: true },
        voiceDetection: { silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 },
      });
    }
  });

  it('takes the seat of the one before it, so that a repeated start is not refused', async () => {
    service.engine.capacity = 1;
    const first = await start({ personaConfig, environment });
    const second = await start({ personaConfig, environment });
    expect([...service.engine.live.keys()]).toEqual([second.sessionId]);
    expect(first.sessionId).not.toBe(second.sessionId);
    service.engine.capacity = 20;
  });

  it('keeps the token of the room out of everything that is stored in the clear', async () => {
    const { sessionToken } = (await token({ personaConfig, environment })).body;
    const { sessionId } = await start({}, sessionToken);
    const { config } = service.engine.live.get(sessionId)!;
    const secret = environment.livekitToken;
    const rows = [
      ...(await service.store.db.selectFrom('session_tokens').selectAll().execute()),
      ...(await service.store.db.selectFrom('sessions').selectAll().orderBy('created_at').execute()),
    ];
    for (const [where, text] of Object.entries({
      'the session token': Buffer.from(sessionToken.split('.')[1], 'base64url').toString(),
      'the configuration': JSON.stringify(config),
      'the database': JSON.stringify(rows),
      'the session': (await service.send('GET', `/v1/sessions/${sessionId}`)).text,
    }))
      expect(text, where).not.toContain(secret);
    expect(rows.at(-1)).toMatchObject({ id: sessionId, session_type: 'livekit' });
  });

  it.each([
    ['environment.livekitUrl', { livekitUrl: 'https://10.0.0.1' }],
    ['environment.livekitUrl', { livekitUrl: 'ws://rooms.example.com' }],
    ['environment.livekitUrl', { livekitUrl: 'ftp://rooms.example.com' }],
    ['environment.livekitUrl', { livekitUrl: 'rooms' }],
    ['environment.livekitToken', { livekitToken: 'nonsense' }],
    ['environment.livekitToken', { livekitToken: livekitToken('avatar', {}) }],
    ['environment', { livekitUrl: null }],
    ['environment', { livekitToken: null }],
  ])('is refused already with its session token: %s', async (path, change) => {
    const answer = await token({ personaConfig, environment: { ...environment, ...change } });
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body.details[0].path).toBe(path);
    expect(answer.text).not.toContain(environment.livekitToken);
  });

  it('may be at a server of the operator without TLS', async () => {
    const own = { ...environment, livekitUrl: 'ws://127.0.0.1:7880' };
    expect((await token({ personaConfig, environment: own })).status).toBe(200);
  });

  it('has the sizes that plugins ask for, and other sessions do not', async () => {
    for (const [videoWidth, videoHeight] of [
      [640, 360],
      [1280, 720],
    ]) {
      const sessionOptions = { videoWidth, videoHeight };
      const { sessionId } = await start({ personaConfig, environment, sessionOptions });
      expect(service.engine.live.get(sessionId)!.config).toMatchObject(sessionOptions);
      expect((await token({ personaConfig, sessionOptions })).status).toBe(400);
    }
  });
});
