import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ToolCallRecord, TurnRecord } from '../../actors/report.ts';
import { openRetention } from '../retention.ts';
import { describeOnBothDatabases } from '../testing/stores.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { STOCK } from '../testing/stock.ts';
import { endInterruptedSessions } from './session-store.ts';

const turn = (over: Partial<TurnRecord> = {}): TurnRecord => ({
  turnIndex: 1,
  correlationId: 'c1',
  userSpeechStartedAt: 1000,
  userSpeechEndedAt: 2000,
  endOfTurnAt: 2500,
  transcribedAt: 2600,
  llmRequestedAt: 2610,
  llmFirstOutputAt: 2900,
  llmFinalOutputAt: 3400,
  synthesisStartedAt: 2950,
  synthesisFirstAudioAt: 3000,
  synthesisEndedAt: 3500,
  speakingStartedAt: 3050,
  speakingEndedAt: 5050,
  finishReason: 'completed',
  interruptedStage: null,
  userText: 'what are your hours',
  personaText: 'We open at nine.',
  toolCallIds: [],
  ...over,
});
const call = (over: Partial<ToolCallRecord> = {}): ToolCallRecord => ({
  turnIndex: 1,
  correlationId: 'c1',
  callId: 'fc_1',
  toolName: 'book',
  toolType: 'server',
  toolSubtype: 'webhook',
  status: 'completed',
  startedAt: 2700,
  completedAt: 2800,
  errorMessage: null,
  arguments: { table: 4, api_key: 'k-99' },
  result: '{"ok":true,"token":"t-77"}',
  documentsAccessed: null,
  ...over,
});

const LOG_HEADER = JSON.stringify({
  log: 'parley-session',
  version: 1,
  software: 'test',
  startedAt: '2026-01-01T00:00:00.000Z',
  idSeed: 's',
  endOfTurnModelAvailable: false,
  config: { sessionId: 's' },
});

describeOnBothDatabases('sessions', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
  });
  afterAll(async () => service.close());

  const persona = async (body: object = {}) =>
    (
      await service.send('POST', '/v1/personas', {
        avatarId: STOCK.avatar,
        voiceId: STOCK.voice,
        name: 'Host',
        ...body,
      })
    ).body.id as string;
  const start = async (body: object = { personaConfig: { avatarId: STOCK.avatar } }, key = service.key) => {
    const answer = await service.send('POST', '/v1/engine/session', body, key);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const token = async (body: object) => service.send('POST', '/v1/auth/session-token', body);

  it('gives tokens whose claims clients can read, and that carry no configuration', async () => {
    const personaId = await persona({ systemPrompt: 'Keep this to yourself', name: 'Zoë > ~?' });
    const { body } = await token({
      personaConfig: { personaId, enableAudioPassthrough: false },
      clientLabel: 'web',
      expiresIn: 60,
      widgetConfig: { personaName: 'Zoë > ~?' },
    });
    const claims = decodeJwt(body.sessionToken);
    expect(claims).toMatchObject({
      type: 'stateful',
      accountId: service.organizationId,
      organizationId: service.organizationId,
      personaId,
      clientLabel: 'web',
      widgetConfig: { personaName: 'Zoë > ~?' },
      jti: expect.any(String),
    });
    expect(claims.exp! - claims.iat!).toBe(60);
    // What an embeddable widget does, with the browser's plain atob.
    expect(JSON.parse(atob(body.sessionToken.split('.')[1]!))).toEqual(claims);
    expect(JSON.stringify(claims)).not.toContain('Keep this');
    expect(decodeJwt((await token({ personaConfig: { avatarId: STOCK.avatar } })).body.sessionToken).type).toBe(
      'ephemeral',
    );
  });

  it('refuses token requests field by field, also when every slot is taken', async () => {
    service.engine.capacity = 0;
    const paths = async (body: unknown) => {
      const answer = await service.send('POST', '/v1/auth/session-token', body);
      expect(answer.status, answer.text).toBe(400);
      return answer.body.details?.[0]?.path;
    };
    const inline = { avatarId: STOCK.avatar };
    expect(await paths({})).toBe('personaConfig');
    expect(await paths({ personaConfig: {} })).toBe('personaConfig');
    expect(await paths({ personaConfig: { systemPrompt: 'x' } })).toBe('personaConfig.avatarId');
    expect(await paths({ personaConfig: inline, clientLabel: 'x'.repeat(129) })).toBe('clientLabel');
    expect(await paths({ personaConfig: inline, expiresIn: 59 })).toBe('expiresIn');
    expect(await paths({ personaConfig: inline, expiresIn: 86_401 })).toBe('expiresIn');
    expect(await paths({ personaConfig: { avatarId: STOCK.voice } })).toBe('personaConfig.avatarId');
    expect(await paths({ personaConfig: { personaId: STOCK.avatar } })).toBe('personaConfig.personaId');
    expect(await paths({ personaConfig: { ...inline, llmId: STOCK.deprecatedLlm } })).toBe('personaConfig.llmId');
    expect(await paths({ personaConfig: { ...inline, avatarModel: 'cara-2' } })).toBe('personaConfig.avatarModel');
    expect(
      await paths({ personaConfig: { ...inline, directorNotes: { presetStyle: 'warm', customStylePrompt: 'x' } } }),
    ).toBe('personaConfig.directorNotes');
    expect(await paths({ personaConfig: { ...inline, maxSessionLengthSeconds: 0 } })).toBe(
      'personaConfig.maxSessionLengthSeconds',
    );
    expect(
      await paths({ personaConfig: { ...inline, tools: [{ type: 'server', name: 'x', description: 'd' }] } }),
    ).toBe('personaConfig.tools.0.subtype');
    expect(
      await paths({
        personaConfig: {
          ...inline,
          tools: [{ type: 'client', name: 'x', description: 'd', parameters: { d: 'x'.repeat(10_000) } }],
        },
      }),
    ).toBe('personaConfig.tools.0.parameters');
    expect(
      await paths({
        personaConfig: {
          ...inline,
          tools: [
            { type: 'server', subtype: 'webhook', name: 'x', description: 'd', url: 'http://10.1.1.1', method: 'GET' },
          ],
        },
      }),
    ).toBe('personaConfig.tools.0.url');
    expect(await paths({ personaConfig: { ...inline, toolIds: [randomUUID()] } })).toBe('personaConfig.toolIds.0');
    expect(await paths({ personaConfig: inline, sessionOptions: { videoWidth: 720 } })).toBe(
      'sessionOptions.videoHeight',
    );
    expect(await paths({ personaConfig: inline, sessionOptions: { videoWidth: 800, videoHeight: 600 } })).toBe(
      'sessionOptions.videoWidth',
    );
    expect(await paths({ personaConfig: inline, sessionOptions: { regionPolicy: 'strict' } })).toBe(
      'sessionOptions.region',
    );
    for (const regionPolicy of ['strict', 'preferred'])
      expect(await paths({ personaConfig: inline, sessionOptions: { region: 'mars', regionPolicy } })).toBe(
        'sessionOptions.region',
      );
    expect(await paths({ personaConfig: inline, sessionOptions: { egress: { mode: 'daily' } } })).toBe(
      'sessionOptions.egress',
    );
    expect(await paths({ personaConfig: inline, environment: { livekitUrl: 'wss://x' } })).toBe('environment');
    expect((await token({ personaConfig: { personaId: randomUUID() } })).status).toBe(404);
    expect((await token({ personaConfig: inline })).status).toBe(200);
    service.engine.capacity = 20;
  });

  it('starts what the token stands for, whether its claims say everything or the rest is stored', async () => {
    const personaId = await persona();
    const plain = { personaConfig: { personaId, id: personaId, enableAudioPassthrough: false }, clientLabel: 'shop' };
    const requests = [
      plain,
      { ...plain, sessionOptions: { videoQuality: 'high' } },
      { ...plain, clientMetadata: { table: 4 } },
      { ...plain, personaConfig: { personaId, languageCode: 'de' } },
    ];
    const outcomes = [];
    for (const request of requests) {
      const { sessionToken } = (await token(request)).body;
      const { jti, stored } = decodeJwt(sessionToken);
      const row = await service.store.db
        .selectFrom('session_tokens')
        .select('id')
        .where('id', '=', String(jti))
        .executeTakeFirst();
      expect(row !== undefined).toBe(stored);
      const { sessionId } = await start({}, sessionToken);
      const { config } = service.engine.live.get(sessionId)!;
      const session = (await service.send('GET', `/v1/sessions/${sessionId}`)).body;
      outcomes.push([
        stored,
        config.personaId,
        config.videoQuality,
        config.languageCode,
        session.clientLabel,
        session.clientMetadata?.table,
      ]);
    }
    expect(outcomes).toEqual([
      [false, personaId, 'auto', null, 'shop', undefined],
      [true, personaId, 'high', null, 'shop', undefined],
      [true, personaId, 'auto', null, 'shop', 4],
      [true, personaId, 'auto', 'de', 'shop', undefined],
    ]);
  });

  it('keeps what the token stands for encrypted: inline tools may carry keys', async () => {
    const tool = {
      type: 'server',
      subtype: 'webhook',
      name: 'book',
      description: 'Books',
      url: 'https://example.com/book',
      method: 'POST',
      headers: { 'x-key': 'hush-hush' },
    };
    const { sessionToken } = (await token({ personaConfig: { avatarId: STOCK.avatar, tools: [tool] } })).body;
    const row = await service.store.db
      .selectFrom('session_tokens')
      .selectAll()
      .where('id', '=', String(decodeJwt(sessionToken).jti))
      .executeTakeFirstOrThrow();
    expect(Object.values(row).join(' ')).not.toMatch(/hush-hush|example\.com/);
    const { sessionId } = await start({}, sessionToken);
    expect(service.engine.live.get(sessionId)!.config.tools).toEqual([
      expect.objectContaining({ name: 'book', headers: { 'x-key': 'hush-hush' } }),
    ]);
  });

  it('starts from a token as often as wanted until it expires', async () => {
    const { body } = await token({ personaConfig: { personaId: await persona() }, expiresIn: 60 });
    for (const send of [
      undefined,
      {},
      { clientMetadata: { client: 'js-sdk', version: '4' }, personaConfig: { personaId: 'ignored' } },
    ]) {
      expect((await service.send('POST', '/v1/engine/session', send, body.sessionToken)).status).toBe(200);
    }
    service.clock.now += 61_000;
    expect(await service.send('POST', '/v1/engine/session', {}, body.sessionToken)).toMatchObject({
      status: 401,
      body: { error: 'Session token expired' },
    });
    service.clock.now -= 61_000;
    expect(await service.send('POST', '/v1/engine/session', {}, `${body.sessionToken.slice(0, -3)}abc`)).toMatchObject({
      status: 401,
      body: { error: 'Invalid session token' },
    });
    expect(await service.send('GET', '/v1/personas', undefined, body.sessionToken)).toMatchObject({ status: 401 });
    const legacy = `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${Buffer.from('{"type":"LEGACY"}').toString('base64url')}.x`;
    expect((await service.send('POST', '/v1/engine/session', {}, legacy)).body.error).toBe(
      'Legacy session tokens are no longer supported',
    );
    expect((await service.send('POST', '/v1/engine/session', {}, null)).body.error).toBe('Missing or invalid API key');
    expect(await service.send('GET', '/v1/auth/session-token')).toMatchObject({
      status: 405,
      body: { error: 'Method not allowed' },
      headers: { allow: 'POST' },
    });
  });

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
        silenceBeforeSkipTurnSeconds: 5,
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
      groupCall: false,
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

  it('keeps transcript, tool calls, timeline and analytics of a session', async () => {
    const { sessionId } = await start({ personaConfig: { personaId: await persona() }, clientLabel: 'lobby' });
    const { engine } = service;
    engine.report(sessionId, {
      kind: 'message',
      message: {
        messageId: 'm1',
        role: 'user',
        text: 'what are your hours',
        at: 2600,
        speakingMs: 1000,
        interrupted: false,
      },
    });
    engine.report(sessionId, {
      kind: 'message',
      message: { messageId: 'm2', role: 'persona', text: 'We open', at: 3050, speakingMs: 2000, interrupted: true },
    });
    engine.report(sessionId, { kind: 'toolCall', call: call({ status: 'started', completedAt: null, result: null }) });
    engine.report(sessionId, { kind: 'toolCall', call: call() });
    engine.report(sessionId, {
      kind: 'turn',
      turn: turn({
        turnIndex: 0,
        userSpeechStartedAt: null,
        userSpeechEndedAt: null,
        transcribedAt: null,
        userText: null,
      }),
    });
    engine.report(sessionId, {
      kind: 'turn',
      turn: turn({ finishReason: 'interrupted', interruptedStage: 'while_speaking' }),
    });
    engine.report(sessionId, { kind: 'warning', at: 1, code: 'enhancement' });
    service.sessions.log(
      sessionId,
      `${LOG_HEADER}\n[5,"socket.opened"]\n[6,"w",1,-20,6]\n["!","signal.ready","9f86d081884c"]\n`,
    );
    service.sessions.log(sessionId, '[2600,"stt.final",{"text":"hello","language":"en"}]\n');
    await service.sessions.flush();

    expect((await service.send('GET', `/v1/sessions/${sessionId}/transcript`)).body).toMatchObject({
      endTime: null,
      totalMessages: 2,
    });
    expect(await service.send('GET', `/v1/sessions/${sessionId}/analytics`)).toMatchObject({
      status: 404,
      body: { message: 'The session is still running.' },
    });
    expect((await service.send('POST', `/v1/sessions/${sessionId}/stop`)).body).toEqual({});
    await service.sessions.flush();
    expect((await service.send('POST', `/v1/sessions/${sessionId}/stop`)).status).toBe(404);

    const session = (await service.send('GET', `/v1/sessions/${sessionId}`)).body;
    expect(session).toMatchObject({
      clientLabel: 'lobby',
      exitStatus: 'CLOSED_BY_ENGINE',
      end_reason: 'stopped_by_api',
      endReason: 'stopped_by_api',
      end_message: 'Session was stopped.',
      sessionLengthMs: 1000,
      region: 'eu',
    });
    expect(session.toolCalls).toEqual([
      expect.objectContaining({
        toolCallId: 'fc_1',
        toolSubtype: 'webhook',
        status: 'completed',
        durationSeconds: 0.1,
        arguments: { table: 4, api_key: '[REDACTED]' },
        result: '{"ok":true,"token":"[REDACTED]"}',
      }),
    ]);
    const transcript = (await service.send('GET', `/v1/sessions/${sessionId}/transcript`)).body;
    expect(transcript).toMatchObject({ personaName: 'Host', durationMs: 1000, transcriptsEnabled: true });
    expect(transcript.messages).toEqual([
      {
        role: 'user',
        message: 'what are your hours',
        timestamp: new Date(Date.parse(session.startTime) + 2600).toISOString(),
        speakingDurationSeconds: 1,
      },
      {
        role: 'persona',
        message: 'We open',
        timestamp: expect.any(String),
        speakingDurationSeconds: 2,
        wasInterrupted: true,
      },
    ]);
    expect((await service.send('GET', `/v1/sessions/${sessionId}/timeline`)).body).toMatchObject({
      turns: [{ turnIndex: 0 }, { turnIndex: 1 }],
      events: [
        { at: 5, kind: 'socket', label: 'signaling connected' },
        { at: 2600, kind: 'stt', label: 'heard: hello' },
      ],
    });

    const analytics = (await service.send('GET', `/v1/sessions/${sessionId}/analytics`)).body;
    expect(analytics.turns[1]).toMatchObject({
      transcriptionLatencySeconds: 0.6,
      llmTimeToFirstOutputSeconds: 0.3,
      llmGenerationDurationSeconds: 0.5,
      ttsTimeToFirstAudioSeconds: 0.1,
      firstAudioLatencySeconds: 1.05,
      speakingDurationSeconds: 2,
      wasInterrupted: true,
      interruptedStage: 'while_speaking',
      toolCalls: [{ toolCallId: 'fc_1' }],
    });
    expect(analytics.turns[1].userMessage).toBeUndefined();
    expect(analytics.turns[0]).toMatchObject({ userSpeechStartTime: null, firstAudioLatencySeconds: null });
    expect(analytics.summary).toMatchObject({
      totalTurns: 2,
      interruptedTurns: 1,
      interruptionRate: 0.5,
      totalUserWords: 4,
      totalWarnings: 1,
      totalErrors: 0,
      toolCalls: { total: 1, succeeded: 1, failed: 0, byName: { book: 1 } },
    });
    expect(
      (await service.send('GET', `/v1/sessions/${sessionId}/analytics?includeMessages=true`)).body.turns[1],
    ).toMatchObject({ userMessage: 'what are your hours', assistantMessage: 'We open at nine.' });

    const all = (await service.send('GET', '/v1/sessions/analytics?clientLabel=lobby')).body;
    expect(all).toMatchObject({
      sessionCount: 1,
      sessionsWithReports: 1,
      turnCount: 2,
      truncated: false,
      counts: { interruptedTurns: 1, interruptedBeforeAudioTurns: 0, toolCalls: { total: 1 } },
      rates: { interruptionRate: 0.5 },
    });
    expect(all.latencies.firstAudioLatencySeconds).toEqual({
      count: 1,
      avg: 1.05,
      p50: 1.05,
      p90: 1.05,
      p95: 1.05,
      p99: 1.05,
      max: 1.05,
    });
    expect(
      all.slowestTurns.find((slow: { metric: string }) => slow.metric === 'firstAudioLatencySeconds'),
    ).toMatchObject({ sessionId, valueSeconds: 1.05 });
    expect((await service.send('GET', '/v1/sessions/analytics?clientLabel=nobody')).body).toMatchObject({
      sessionCount: 0,
      latencies: { firstAudioLatencySeconds: { count: 0, avg: null } },
    });
    expect(
      (await service.send('GET', '/v1/sessions/analytics?from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z')).status,
    ).toBe(400);
    expect((await service.send('GET', '/v1/sessions/analytics?from=yesterday')).status).toBe(400);
  });

  it('lists sessions and filters them', async () => {
    const personaId = await persona();
    const { sessionId } = await start({ personaConfig: { personaId }, clientLabel: 'find_me' });
    const ids = async (query: string) =>
      (await service.send('GET', `/v1/sessions?${query}`)).body.data?.map((row: { id: string }) => row.id);
    for (const query of ['search=FIND_M', `search=${sessionId.slice(0, 13)}`, `personaId=${personaId}`])
      expect(await ids(query), query).toEqual([sessionId]);
    expect(await ids(`apiKeyId=${randomUUID()}`)).toEqual([]);
    expect((await service.send('GET', `/v1/sessions?organizationId=${service.organizationId}`)).status).toBe(403);
    const admin = await service.keyWith(['admin'], 'operators');
    expect(
      (
        await service.send(
          'GET',
          `/v1/sessions?organizationId=${service.organizationId}&personaId=${personaId}`,
          undefined,
          admin,
        )
      ).body.data,
    ).toHaveLength(1);
    expect((await service.send('GET', '/v1/sessions/not-a-uuid')).status).toBe(400);
    expect((await service.send('GET', `/v1/sessions/${randomUUID()}`)).status).toBe(404);
  });

  it('hands out a recording by signed URL, for an hour, in ranges', async () => {
    const { sessionId } = await start();
    expect((await service.send('GET', `/v1/sessions/${sessionId}/recording`)).status).toBe(404);
    const path = join(service.dataDir, `${sessionId}.mp4`);
    writeFileSync(path, '0123456789');
    service.sessions.recording(sessionId, { path, durationMs: 5, bytes: 10 });
    await expect.poll(async () => (await service.send('GET', `/v1/sessions/${sessionId}/recording`)).status).toBe(200);
    const url = (await service.send('GET', `/v1/sessions/${sessionId}/recording`)).body.recordingUrl.replace(
      /^https?:\/\/[^/]+/,
      '',
    );
    expect(await service.send('GET', url, undefined, null)).toMatchObject({
      status: 200,
      text: '0123456789',
      headers: { 'content-type': 'video/mp4' },
    });
    expect(await service.send('GET', url, undefined, null, { range: 'bytes=2-4' })).toMatchObject({
      status: 206,
      text: '234',
    });
    expect((await service.send('GET', url.replace(/signature=.{4}/, 'signature=AAAA'), undefined, null)).status).toBe(
      403,
    );
    service.clock.now += 3_600_001;
    expect((await service.send('GET', url, undefined, null)).status).toBe(403);
    service.clock.now -= 3_600_001;
  });

  it.each(['saved', 'inline'])(
    'ends with its key only when the key was revoked together with its tokens (%s persona)',
    async (kind) => {
      const key = await service.keyWith(['session-tokens']);
      const { body } = await service.send(
        'POST',
        '/v1/auth/session-token',
        { personaConfig: kind === 'saved' ? { personaId: await persona() } : { avatarId: STOCK.avatar } },
        key,
      );
      const revoke = (tokens: number) =>
        service.store.db
          .updateTable('api_keys')
          .set({ revoked_at: new Date().toISOString(), tokens_revoked: tokens })
          .where('id', '=', String(decodeJwt(body.sessionToken).apiKeyId))
          .execute();
      await revoke(0);
      expect((await service.send('POST', '/v1/engine/session', {}, body.sessionToken)).status).toBe(200);
      await revoke(1);
      expect((await service.send('POST', '/v1/engine/session', {}, body.sessionToken)).status).toBe(401);
    },
  );

  it('refuses at the start what was deleted since the token was made', async () => {
    const avatar = await service.store.db.selectFrom('avatars').selectAll().executeTakeFirst();
    expect(avatar).toBeUndefined();
    const personaId = await persona();
    const { body } = await token({ personaConfig: { personaId } });
    await service.send('DELETE', `/v1/personas/${personaId}`);
    expect(await service.send('POST', '/v1/engine/session', {}, body.sessionToken)).toMatchObject({
      status: 404,
      body: { error: 'Persona not found' },
    });
  });

  it('keeps nothing of what was said when the persona retains nothing', async () => {
    const canary = `canary-${randomUUID()}`;
    const { sessionId } = await start({ personaConfig: { avatarId: STOCK.avatar, zeroDataRetention: true } });
    const path = join(service.dataDir, `${sessionId}.mp4`);
    writeFileSync(path, canary);
    service.engine.report(sessionId, {
      kind: 'message',
      message: { messageId: 'm', role: 'user', text: canary, at: 1, speakingMs: 1, interrupted: false },
    });
    service.engine.report(sessionId, { kind: 'turn', turn: turn({ userText: canary, personaText: canary }) });
    service.engine.report(sessionId, {
      kind: 'toolCall',
      call: call({
        arguments: { q: canary },
        result: canary,
        documentsAccessed: [canary],
        errorMessage: canary,
        status: 'failed',
      }),
    });
    service.sessions.log(sessionId, `[1,"client.text",{"content":"${canary}"}]\n`);
    service.sessions.recording(sessionId, { path, durationMs: 1, bytes: 1 });
    service.engine.end(sessionId, 2000);
    await service.sessions.flush();
    expect(service.engine.live.has(sessionId)).toBe(false);
    expect((await service.send('GET', `/v1/sessions/${sessionId}/transcript`)).status).toBe(404);
    expect((await service.send('GET', `/v1/sessions/${sessionId}`)).body.toolCalls[0]).toMatchObject({
      toolName: 'book',
      arguments: null,
      result: null,
      documentsAccessed: null,
    });
    expect((await service.send('GET', `/v1/sessions/${sessionId}/analytics?includeMessages=true`)).body).toMatchObject({
      config: { transcriptsEnabled: false },
      turns: [{ firstAudioLatencySeconds: 1.05 }],
    });

    await expect.poll(() => filesContaining(service.dataDir, canary)).toEqual([]);
    const tables = [
      'sessions',
      'session_messages',
      'session_turns',
      'session_tool_calls',
      'session_incidents',
      'session_events',
      'recordings',
      'session_tokens',
    ] as const;
    for (const table of tables)
      expect(JSON.stringify(await service.store.db.selectFrom(table).selectAll().execute()), table).not.toContain(
        canary,
      );
    expect(service.logged.join('\n')).not.toContain(canary);
  });

  it('deletes content by age, also what became due while the service was stopped', async () => {
    const { sessionId } = await start();
    const path = join(service.dataDir, 'old.mp4');
    writeFileSync(path, 'x');
    service.engine.report(sessionId, {
      kind: 'message',
      message: { messageId: 'm', role: 'user', text: 'long ago', at: 1, speakingMs: 1, interrupted: false },
    });
    service.engine.report(sessionId, { kind: 'turn', turn: turn() });
    service.sessions.recording(sessionId, { path, durationMs: 1, bytes: 1 });
    service.engine.end(sessionId, 9000);
    await expect.poll(async () => (await service.send('GET', `/v1/sessions/${sessionId}/recording`)).status).toBe(200);
    await service.sessions.flush();
    const sweepAfter = async (days: number) => {
      const retention = openRetention({
        store: service.store,
        blobs: service.blobs,
        retentionDays: 30,
        log: service.app.log as never,
        now: () => service.clock.now + days * 86_400_000,
      });
      await retention.sweep();
      await retention.close();
    };
    await sweepAfter(29);
    expect((await service.send('GET', `/v1/sessions/${sessionId}/transcript`)).status).toBe(200);
    await sweepAfter(31);
    expect((await service.send('GET', `/v1/sessions/${sessionId}/transcript`)).status).toBe(404);
    expect((await service.send('GET', `/v1/sessions/${sessionId}/recording`)).status).toBe(404);
    expect(filesContaining(service.dataDir, 'x').filter((file) => file === path)).toEqual([]);
    expect((await service.send('GET', `/v1/sessions/${sessionId}/analytics?includeMessages=true`)).body).toMatchObject({
      turns: [{ firstAudioLatencySeconds: 1.05 }],
      config: { transcriptsEnabled: false },
    });
  });

  it('gives sessions that a crash cut off their end', async () => {
    const { sessionId } = await start();
    expect(await endInterruptedSessions(service.store, 'another-engine', service.clock.now)).toBe(0);
    expect(await endInterruptedSessions(service.store, 'main', service.clock.now)).toBeGreaterThan(0);
    expect((await service.send('GET', `/v1/sessions/${sessionId}`)).body).toMatchObject({
      exitStatus: 'ERROR',
      end_reason: 'engine_error',
    });
  });
});

function filesContaining(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile() && readFileSync(path).includes(text));
}
