import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../testing/service.ts';
import { describeOnBothDatabases } from '../../testing/stores.ts';
import { call, turn } from './testing/records.ts';
import { sessionRequests } from '../../api/sessions/testing/session-requests.ts';

const LOG_HEADER = JSON.stringify({
  log: 'parley-session',
  version: 1,
  software: 'test',
  startedAt: '2026-01-01T00:00:00.000Z',
  idSeed: 's',
  endOfTurnModelAvailable: false,
  config: { sessionId: 's' },
});

describeOnBothDatabases('the history of a session', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
  });
  afterAll(async () => service.close());
  const { persona, start } = sessionRequests(() => service);

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

    // It was documented as one JSON text, and is a line of JSON for each event.
    const log = await service.send('GET', `/v1/sessions/${sessionId}/log`);
    expect(log.headers['content-type']).toBe('application/jsonl; charset=utf-8');
    expect(
      log.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toHaveLength(5);
    const { paths } = (await service.send('GET', '/openapi.json', undefined, null)).body;
    expect(Object.keys(paths['/v1/sessions/{id}/log'].get.responses['200'].content)).toEqual(['application/jsonl']);

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

    const usage = (await service.send('GET', '/v1/sessions/usage?days=2')).body;
    expect(usage).toMatchObject({ truncated: false, total: { sessions: 1, turns: 2, interruptedTurns: 1 } });
    expect(usage.days).toHaveLength(2);
    expect(usage.total.firstAudioLatencySeconds).toEqual({ count: 1, p50: 1.05, p95: 1.05 });
    expect((await service.send('GET', '/v1/sessions/usage', undefined, service.otherKey)).body.total.sessions).toBe(0);

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
    // A type that does not exist was taken for one without sessions.
    expect(await service.send('GET', '/v1/sessions/analytics?sessionType=TURNKEY')).toMatchObject({
      status: 400,
      body: { details: [{ path: 'sessionType' }] },
    });
    expect((await service.send('GET', '/v1/sessions/analytics?sessionType=turnkey')).status).toBe(200);
  });

  /** A process that was cut off tried each part for two seconds, and what it had to say of other sessions waited. */
  it('keeps the part of a log that another process has stored, and goes on behind it', async () => {
    const { sessionId } = await start({ personaConfig: { personaId: await persona() } });
    const events = service.store.db;
    await events.insertInto('session_events').values({ session_id: sessionId, sequence: 0, lines: 'theirs' }).execute();
    service.sessions.log(sessionId, 'ours');
    service.sessions.log(sessionId, 'more');
    await service.sessions.flush();
    const rows = await events
      .selectFrom('session_events')
      .select('lines')
      .where('session_id', '=', sessionId)
      .orderBy('sequence')
      .execute();
    expect(rows.map(({ lines }) => lines)).toEqual(['theirs', 'more']);
    expect(service.logged.join('')).not.toContain('could not be stored');
  });

  /** Clients read 0.0834300000000003 s: the clock of a session has fractions of milliseconds. */
  it('tells durations to the millisecond', async () => {
    const { sessionId } = await start({ personaConfig: { personaId: await persona() } });
    service.engine.report(sessionId, {
      kind: 'message',
      message: { messageId: 'm', role: 'user', text: 'hi', at: 1, speakingMs: 1234.5678, interrupted: false },
    });
    service.engine.report(sessionId, {
      kind: 'toolCall',
      call: call({ startedAt: 2700.1234567, completedAt: 2783.5534567 }),
    });
    for (const [turnIndex, ms] of [100.4, 200.4, 300.4].entries())
      service.engine.report(sessionId, {
        kind: 'turn',
        turn: turn({ turnIndex, userSpeechStartedAt: 0, userSpeechEndedAt: ms }),
      });
    service.engine.end(sessionId, 5000);
    await service.sessions.flush();
    const read = async (part: string) => (await service.send('GET', `/v1/sessions/${sessionId}${part}`)).body;
    expect((await read('')).toolCalls[0].durationSeconds).toBe(0.083);
    expect((await read('/transcript')).messages[0].speakingDurationSeconds).toBe(1.235);
    expect((await read('/analytics')).summary.totalUserSpeechDurationSeconds).toBe(0.6);
  });

  /** A turn that was interrupted before its first sound had a time at which the persona stopped speaking. */
  it('tells of no end of speech where there was none, and of the end of the session in both spellings', async () => {
    const { sessionId } = await start({ personaConfig: { personaId: await persona() } });
    const finishReason = 'interrupted';
    service.engine.report(sessionId, {
      kind: 'turn',
      turn: turn({ speakingStartedAt: null, finishReason, interruptedStage: 'before_audio' }),
    });
    service.engine.end(sessionId, 5000);
    await service.sessions.flush();
    expect((await service.send('GET', `/v1/sessions/${sessionId}/analytics`)).body).toMatchObject({
      end_reason: 'stopped_by_api',
      end_message: 'Session was stopped.',
      endReason: 'stopped_by_api',
      endMessage: 'Session was stopped.',
      turns: [{ personaStartSpeakingTime: null, personaStopSpeakingTime: null, speakingDurationSeconds: null }],
    });
  });

  it('says who of a meeting said what', async () => {
    const { sessionId } = await start({ personaConfig: { personaId: await persona() } });
    const said = { text: 'We ship on Friday.', speakingMs: null, interrupted: false };
    service.engine.report(sessionId, {
      kind: 'message',
      message: { messageId: 'm1', role: 'user', speaker: 'Alice, Bob', at: 1, ...said },
    });
    service.engine.report(sessionId, {
      kind: 'message',
      message: { messageId: 'm2', role: 'persona', at: 2, ...said },
    });
    await service.sessions.flush();
    const { messages } = (await service.send('GET', `/v1/sessions/${sessionId}/transcript`)).body;
    expect(messages).toMatchObject([
      { role: 'user', message: 'Alice, Bob: We ship on Friday.', speakerName: 'Alice, Bob' },
      { role: 'persona', message: 'We ship on Friday.' },
    ]);
    expect(messages[1]).not.toHaveProperty('speakerName');
  });

  it('keeps what was understood and not answered, marked', async () => {
    const { sessionId } = await start({ personaConfig: { personaId: await persona() } });
    const said = { role: 'user', speakingMs: 900, interrupted: false } as const;
    const report = (message: { text: string; messageId: string; at: number; forPersona?: false }) =>
      service.engine.report(sessionId, { kind: 'message', message: { ...said, ...message } });
    report({ messageId: 'm1', text: 'What can you', at: 1 });
    report({ messageId: 'm1', text: 'What can you help me with?', at: 1 });
    report({ messageId: 'm2', text: 'Dinner is ready.', at: 2, forPersona: false });
    await service.sessions.flush();
    const { messages } = (await service.send('GET', `/v1/sessions/${sessionId}/transcript`)).body;
    expect(messages).toMatchObject([
      { message: 'What can you help me with?' },
      { message: 'Dinner is ready.', forPersona: false },
    ]);
    expect(messages[0]).not.toHaveProperty('forPersona');
  });

  it('keeps what its providers have done, also after its content is deleted', async () => {
    const { sessionId } = await start({ personaConfig: { personaId: await persona() } });
    const { engine } = service;
    const usage = (service: 'stt' | 'llm' | 'tts', provider: string, amounts: object, place = 0) =>
      engine.report(sessionId, { kind: 'usage', usage: { service, provider, place, amounts } });
    usage('llm', 'openai m', { requests: 1 });
    usage('tts', 'elevenlabs', { characters: 40 });
    usage('llm', 'openai m', { requests: 2, reportedRequests: 1, inputTokens: 30, outputTokens: 5 });
    usage('stt', 'deepgram', { audioMs: 3_250 }, 1);
    const kept = [
      {
        service: 'llm',
        provider: 'openai m',
        requests: 2,
        unreportedRequests: 1,
        inputTokens: 30,
        outputTokens: 5,
      },
      { service: 'stt', provider: 'deepgram', audioSeconds: 3.25 },
      { service: 'tts', provider: 'elevenlabs', characters: 40 },
    ];
    await service.sessions.flush();
    expect((await service.send('GET', `/v1/sessions/${sessionId}`)).body.usage).toEqual(kept);
    engine.stopSession(sessionId, 'stopped_by_api');
    await service.sessions.flush();
    await service.granted('DELETE', `/v1/sessions/${sessionId}`);
    expect((await service.send('GET', `/v1/sessions/${sessionId}`)).body.usage).toEqual(kept);
  });
});
