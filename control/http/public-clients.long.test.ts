import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnBothDatabases } from '../testing/stores.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { STOCK } from '../testing/stock.ts';

/** The requests of published clients and integrations, as they are on the wire, including extra fields. */
describeOnBothDatabases('what public clients send', (stores) => {
  let service: TestService;
  let personaId: string;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
    personaId = (
      await service.send('POST', '/v1/personas', {
        name: 'P',
        avatarId: STOCK.avatar,
        voiceId: STOCK.voice,
        llmId: STOCK.llm,
      })
    ).body.id;
  });
  afterAll(async () => service.close());

  it('JavaScript, token mode: attempt metrics, start with client metadata, success metrics', async () => {
    const token = (await service.send('POST', '/v1/auth/session-token', { personaConfig: { personaId } })).body
      .sessionToken;
    const tags = {
      client: 'js-sdk',
      version: '4.27.0',
      attemptCorrelationId: 'a-1',
      organizationId: service.organizationId,
      sessionId: null,
    };
    expect(
      (
        await service.send(
          'POST',
          '/v1/metrics/client',
          { name: 'client_session_attempt', value: 1, clientTimestamp: '2026-01-01T00:00:00.000Z', tags },
          null,
        )
      ).status,
    ).toBe(200);
    const started = await service.send(
      'POST',
      '/v1/engine/session',
      {
        clientMetadata: { client: 'js-sdk', version: '4.27.0' },
        sessionOptions: { voiceDetection: { endOfSpeechSensitivity: 0.7 } },
      },
      token,
    );
    expect(started.status, started.text).toBe(200);
    expect(service.engine.live.get(started.body.sessionId)!.config.voiceDetection.endOfSpeechSensitivity).toBe(0.7);
    // It destructures clientConfig without a check and passes iceServers to the peer connection.
    const { heartbeatIntervalSeconds, maxWsReconnectionAttempts, iceServers } = started.body.clientConfig;
    expect([heartbeatIntervalSeconds, maxWsReconnectionAttempts, Array.isArray(iceServers)]).toEqual([5, 5, true]);
    expect(
      (
        await service.send(
          'POST',
          '/v1/metrics/client',
          {
            metrics: [
              { name: 'client_connection_milestones', value: 3, tags },
              { name: 'client_error', value: 1, tags, details: { a: 1 }, statusCode: 500 },
            ],
          },
          null,
        )
      ).status,
    ).toBe(200);
  });

  it('JavaScript, unsafe key mode: mints with a label, extra fields and a type', async () => {
    const minted = await service.send('POST', '/v1/auth/session-token', {
      clientLabel: 'js-sdk-api-key',
      personaConfig: {
        type: 'ephemeral',
        name: 'x',
        avatarId: STOCK.avatar,
        voiceId: STOCK.voice,
        llmId: 'CUSTOMER_CLIENT_V1',
        systemPrompt: 's',
        maxSessionLengthSeconds: 60,
      },
      transparentBackground: true,
    });
    expect(minted.status, minted.text).toBe(200);
    const started = await service.send(
      'POST',
      '/v1/engine/session',
      { clientMetadata: { client: 'js-sdk', version: '4.27.0', platform: { os: 'x' } } },
      minted.body.sessionToken,
      {
        'x-anam-target-url': 'https://api.example.com/v1/engine/session',
        'x-forwarded-host': 'gateway',
        'x-original-uri': '/v1',
      },
    );
    expect(started.status).toBe(200);
    expect((await service.send('GET', `/v1/sessions/${started.body.sessionId}`)).body).toMatchObject({
      clientLabel: 'js-sdk-api-key',
      clientMetadata: { client: 'js-sdk' },
    });
  });

  it('Python: key in the header, high quality, passthrough flag beside a persona id', async () => {
    const started = await service.send('POST', '/v1/engine/session', {
      clientLabel: 'python-sdk',
      clientMetadata: { client: 'python-sdk', version: '0.11.0' },
      personaConfig: { personaId, enableAudioPassthrough: false },
      sessionOptions: { videoQuality: 'high', showAIAvatarDisclosure: true },
    });
    expect(started.status, started.text).toBe(200);
    // It concatenates host and endpoint, and needs the key of the endpoint.
    expect(started.body.signallingEndpoint.startsWith('/')).toBe(true);
    const { config } = service.engine.live.get(started.body.sessionId)!;
    expect(config).toMatchObject({
      personaId,
      videoQuality: 'high',
      enableAudioPassthrough: false,
      showAIAvatarDisclosure: true,
    });
    // On errors it reads `message` before `error`.
    const failed = await service.send('POST', '/v1/engine/session', {
      personaConfig: { personaId: '00000000-0000-4000-8000-000000000000', enableAudioPassthrough: false },
    });
    expect(failed).toMatchObject({ status: 404, body: { error: 'Persona not found', message: expect.any(String) } });
  });

  it('Kotlin: voice detection at the top, entries of ICE servers complete', async () => {
    const token = (await service.send('POST', '/v1/auth/session-token', { personaConfig: { id: personaId } })).body
      .sessionToken;
    const withServers = await startTestService(await stores.open(), {
      settings: {
        PARLEY_ICE_SERVERS: 'stun:stun.example.com:3478, turn:turn.example.com:3478',
        PARLEY_TURN_SECRET: 'shared',
      },
    });
    const started = await service.send(
      'POST',
      '/v1/engine/session',
      { voiceDetection: { endOfSpeechSensitivity: 0.2 }, clientMetadata: { client: 'kotlin-sdk' } },
      token,
    );
    expect(service.engine.live.get(started.body.sessionId)!.config.voiceDetection.endOfSpeechSensitivity).toBe(0.2);
    const other = await withServers.send('POST', '/v1/engine/session', { personaConfig: { avatarId: STOCK.avatar } });
    expect(other.body.clientConfig.iceServers).toEqual([
      { urls: ['stun:stun.example.com:3478'], credentialType: 'password' },
      {
        urls: ['turn:turn.example.com:3478'],
        username: expect.stringMatching(/^\d+:/),
        credential: expect.any(String),
        credentialType: 'password',
      },
    ]);
    await withServers.close();
  });

  it("Parley's own: the page may show that its persona is an AI, and not hide it", async () => {
    const shown = async (inToken: boolean, inPage: boolean): Promise<boolean> => {
      const { body } = await service.send('POST', '/v1/auth/session-token', {
        personaConfig: { avatarId: STOCK.avatar },
        sessionOptions: { showAIAvatarDisclosure: inToken },
      });
      const page = { sessionOptions: { showAIAvatarDisclosure: inPage }, clientMetadata: { client: 'parley-js' } };
      const started = await service.send('POST', '/v1/engine/session', page, body.sessionToken);
      return service.engine.live.get(started.body.sessionId)!.config.showAIAvatarDisclosure;
    };
    expect([await shown(false, true), await shown(true, false), await shown(false, false)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('behind a gateway or a proxy: the address is the one that the client used', async () => {
    const started = await service.send(
      'POST',
      '/v1/engine/session',
      { personaConfig: { avatarId: STOCK.avatar } },
      service.key,
      { host: 'talk.example.com:8443' },
    );
    expect(started.body).toMatchObject({ engineHost: 'talk.example.com:8443', engineProtocol: 'http' });
    const fixed = await startTestService(await stores.open(), {
      settings: { PARLEY_PUBLIC_URL: 'https://talk.example.com' },
    });
    expect(
      (await fixed.send('POST', '/v1/engine/session', { personaConfig: { avatarId: STOCK.avatar } })).body,
    ).toMatchObject({ engineHost: 'talk.example.com', engineProtocol: 'https' });
    await fixed.close();
  });

  it('lower-case and upper-case spellings of tools and genders alike', async () => {
    for (const type of ['client', 'CLIENT', 'Client'])
      expect(
        (await service.send('POST', '/v1/tools', { name: 'n', description: 'd', type, config: {}, extra: 1 })).status,
      ).toBe(201);
    const inline = (type: string, subtype: string) =>
      service.send('POST', '/v1/auth/session-token', {
        personaConfig: {
          avatarId: STOCK.avatar,
          tools: [{ type, subtype, name: 'n', description: 'd', url: 'https://h.example.com', method: 'GET' }],
        },
      });
    for (const [type, subtype] of [
      ['server', 'webhook'],
      ['SERVER', 'WEBHOOK'],
    ] as const)
      expect((await inline(type, subtype)).status).toBe(200);
  });
});
