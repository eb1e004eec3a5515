import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../testing/service.ts';
import { STOCK } from '../../testing/stock.ts';
import { describeOnBothDatabases } from '../../testing/stores.ts';
import { sessionRequests } from './testing/session-requests.ts';

describeOnBothDatabases('starting a session', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
  });
  afterAll(async () => service.close());
  const { start } = sessionRequests(() => service);

  it('answers what clients need to connect', async () => {
    const started = await start();
    expect(started).toMatchObject({
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      region: 'eu',
      engineProtocol: 'http',
      signallingEndpoint: '/ws',
      engineHost: expect.not.stringContaining('://'),
      clientConfig: {
        heartbeatIntervalSeconds: 5,
        maxWsReconnectionAttempts: 5,
        expectedHeartbeatIntervalSecs: 5,
        maxWsReconnectAttempts: 5,
        iceServers: [],
      },
    });
  });

  it('hands the engine a resolved configuration', async () => {
    const group = await service.send('POST', '/v1/knowledge/groups', { name: 'g' });
    const { sessionId } = await start({
      clientLabel: 'desk',
      personaConfig: {
        avatarId: STOCK.avatar,
        avatarModel: 'cara-4',
        llmId: 'CUSTOMER_CLIENT_V1',
        systemPrompt: 'p',
        initialMessage: 'Hi',
        voiceGenerationOptions: { speed: 1.2 },
        voiceDetectionOptions: { endOfSpeechSensitivity: 0.9 },
        directorNotes: { presetStyle: 'warm' },
        maxSessionLengthSeconds: 90,
        languageCode: 'fr-CA',
        sessionOptions: { videoQuality: 'auto', sessionReplay: { enableSessionReplay: false } },
        tools: [
          { type: 'CLIENT', name: 'open', description: 'd', awaitResult: true },
          { type: 'client', name: 'open', description: 'd' },
          { type: 'system', name: 'end_call' },
          { type: 'server', subtype: 'knowledge', name: 'docs', description: 'd', documentFolderIds: [group.body.id] },
        ],
      },
      sessionOptions: {
        videoQuality: 'high',
        videoWidth: 768,
        videoHeight: 1152,
        showAiAvatarDisclosure: true,
        voiceDetection: { endOfSpeechSensitivity: 0.1 },
      },
    });
    const { config, resources } = service.engine.live.get(sessionId)!;
    expect(config).toMatchObject({
      sessionId,
      organizationId: service.organizationId,
      personaId: null,
      personaName: 'Persona',
      clientLabel: 'desk',
      systemPrompt: 'p',
      languageCode: 'fr',
      llm: { kind: 'client' },
      greeting: { skip: false, initialMessage: 'Hi', uninterruptible: false },
      voice: { voiceId: STOCK.voice, provider: 'LOCAL', tuning: { speed: 1.2 } },
      avatar: { avatarId: STOCK.avatar, model: 'cara-4', engineKey: 'test-one' },
      voiceDetection: {
        endOfSpeechSensitivity: 0.1,
        silenceBeforeSkipTurnSeconds: 10,
        silenceBeforeSessionEndSeconds: 60,
      },
      directorNotes: { presetStyle: 'warm' },
      maxSessionLengthSeconds: 90,
      recordingEnabled: false,
      videoQuality: 'high',
      videoWidth: 768,
      videoHeight: 1152,
      showAIAvatarDisclosure: true,
      zeroDataRetention: false,
      meeting: null,
    });
    expect(config.tools.map((tool) => [tool.kind, tool.name])).toEqual([
      ['client', 'open'],
      ['client', 'open_2'],
      ['system', 'end_call'],
      ['rag', 'docs'],
    ]);
    expect(config.tools[0]).toMatchObject({ awaitResult: true, toolTimeoutSeconds: 10 });
    expect(resources.llm).toBeNull();
  });

  // It was an error of the service, 500, that told nobody what to do.
  it('says 503 when the TTS service of the voice is not there any more', async () => {
    const wanted = { personaConfig: { avatarId: STOCK.avatar } };
    expect((await service.send('POST', '/v1/engine/session', wanted)).status).toBe(200);
    const { provider } = [...service.engine.live.values()].at(-1)!.config.voice;
    service.engine.missingVoices.add(provider);
    expect(await service.send('POST', '/v1/engine/session', wanted)).toMatchObject({
      status: 503,
      body: { error: 'Voice is unavailable' },
    });
    service.engine.missingVoices.clear();
  });

  it('says 429 when slots are taken and 503 without an engine or in another region', async () => {
    const wanted = { personaConfig: { avatarId: STOCK.avatar } };
    const before = service.engine.capacity;
    service.engine.capacity = service.engine.live.size;
    expect(await service.send('POST', '/v1/engine/session', wanted)).toMatchObject({
      status: 429,
      body: { error: 'Concurrent session limit reached' },
    });
    expect((await service.send('GET', '/v1/sessions/concurrency')).body).toMatchObject({
      canStartSession: false,
      estimatedWaitSeconds: null,
    });
    service.engine.capacity = before;
    service.engine.ready = false;
    expect(await service.send('POST', '/v1/engine/session', wanted)).toMatchObject({
      status: 503,
      body: { error: 'No engines available' },
    });
    service.engine.ready = true;
    const strict = (region: string) =>
      service.send('POST', '/v1/engine/session', { ...wanted, sessionOptions: { region, regionPolicy: 'strict' } });
    expect((await strict('us')).status).toBe(503);
    expect((await strict('eu')).status).toBe(200);
    expect(
      (await service.send('POST', '/v1/engine/session', { ...wanted, sessionOptions: { region: 'us' } })).body.region,
    ).toBe('eu');
    expect((await service.send('GET', '/v1/sessions/concurrency')).body).toMatchObject({
      limit: 20,
      canStartSession: true,
      estimatedWaitSeconds: 0,
    });
  });

  it('says 503 when the face is not at hand, and leaves nothing', async () => {
    const sessions = async (): Promise<number> => (await service.send('GET', '/v1/sessions')).body.meta.total;
    // Rows of starts that were refused before go a moment later.
    await service.sessions.flush();
    const before = await sessions();
    service.engine.unavailable.add('test-one');
    const wanted = { personaConfig: { avatarId: STOCK.avatar } };
    expect(await service.send('POST', '/v1/engine/session', wanted)).toMatchObject({
      status: 503,
      body: { error: 'Avatar is unavailable' },
    });
    service.engine.unavailable.clear();
    await expect.poll(sessions).toBe(before);
  });

  it('lets a persona say a text over the engine host, without a key', async () => {
    const { sessionId } = await start();
    expect(await service.send('POST', `/talk?session_id=${sessionId}`, { content: 'Hello there' }, null)).toMatchObject(
      { status: 200, body: {} },
    );
    expect(service.engine.spoken.at(-1)).toEqual({ sessionId, content: 'Hello there' });
    expect((await service.send('POST', `/talk?session_id=${sessionId}`, { content: ' ' }, null)).status).toBe(400);
    expect((await service.send('POST', `/talk?session_id=${randomUUID()}`, { content: 'x' }, null)).status).toBe(404);
    expect((await service.send('POST', '/talk', { content: 'x' }, null)).status).toBe(404);
  });
});
