import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteExpired } from '../../housekeeping/retention.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { STOCK } from '../../testing/stock.ts';
import { describeOnBothDatabases } from '../../testing/stores.ts';
import { call, turn } from './testing/records.ts';
import { sessionRequests } from '../../api/sessions/testing/session-requests.ts';

describeOnBothDatabases('how long sessions are kept', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
    mkdirSync(join(service.dataDir, 'recordings'));
  });
  afterAll(async () => service.close());
  const { start } = sessionRequests(() => service);

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
    const path = join(service.dataDir, 'recordings', `${sessionId}.mp4`);
    writeFileSync(path, 'x');
    service.engine.report(sessionId, {
      kind: 'message',
      message: { messageId: 'm', role: 'user', text: 'long ago', at: 1, speakingMs: 1, interrupted: false },
    });
    service.engine.report(sessionId, { kind: 'turn', turn: turn() });
    // Messages of errors quote what the tool has answered: they stayed.
    service.engine.report(sessionId, {
      kind: 'toolCall',
      call: call({ errorMessage: 'It answered: long ago', status: 'failed' }),
    });
    service.sessions.recording(sessionId, { path, durationMs: 1, bytes: 1 });
    service.engine.end(sessionId, 9000);
    await expect.poll(async () => (await service.send('GET', `/v1/sessions/${sessionId}/recording`)).status).toBe(200);
    await service.sessions.flush();
    const sweepAfter = async (days: number) => {
      await deleteExpired({
        store: service.store,
        dataDir: service.dataDir,
        blobs: service.blobs,
        retentionDays: 30,
        now: () => service.clock.now + days * 86_400_000,
      });
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
    const [kept] = await service.store.db
      .selectFrom('session_tool_calls')
      .selectAll()
      .where('session_id', '=', sessionId)
      .execute();
    expect(kept!.record_json).not.toContain('long ago');
    expect(JSON.parse(kept!.record_json)).toMatchObject({ errorMessage: 'The tool failed', arguments: null });
  });

  /**
   * Somebody asked that one conversation be forgotten, and the operator could only wait for its age. And what expired
   * kept the prompt, the label, and what the client had sent.
   */
  it.each(['by age', 'on request'] as const)('keeps only facts of a session that is deleted %s', async (how) => {
    const canary = `canary-${randomUUID()}`;
    const { sessionId } = await start({
      personaConfig: {
        avatarId: STOCK.avatar,
        systemPrompt: canary,
        personality: canary,
        metadata: { user: canary },
        directorNotes: { customStylePrompt: canary },
        avatarModel: 'cara-4',
      },
      clientLabel: canary,
      clientMetadata: { user: canary },
    });
    const url = `/v1/sessions/${sessionId}`;
    const path = join(service.dataDir, 'recordings', `${sessionId}.mp4`);
    writeFileSync(path, canary);
    service.engine.report(sessionId, {
      kind: 'message',
      message: { messageId: 'm', role: 'user', text: canary, at: 1, speakingMs: 1, interrupted: false },
    });
    service.engine.report(sessionId, { kind: 'turn', turn: turn({ userText: canary, personaText: canary }) });
    service.engine.report(sessionId, { kind: 'toolCall', call: call({ arguments: { q: canary }, result: canary }) });
    service.sessions.log(sessionId, `[1,"client.text",{"content":"${canary}"}]\n`);
    expect(await service.send('DELETE', url)).toMatchObject({
      status: 409,
      body: { error: 'Session is still running' },
    });
    service.sessions.recording(sessionId, { path, durationMs: 1, bytes: 1 });
    service.engine.end(sessionId, 2000);
    await expect.poll(async () => (await service.send('GET', `${url}/recording`)).status).toBe(200);
    const before = (await service.send('GET', url)).body;
    expect(before.personaConfig).toMatchObject({ systemPrompt: canary, directorNotes: { customStylePrompt: canary } });
    const erase = async () => {
      if (how === 'on request') return (await service.send('DELETE', url)).status;
      const { store, dataDir, blobs, clock } = service;
      await deleteExpired({ store, dataDir, blobs, retentionDays: 30, now: () => clock.now + 31 * 86_400_000 });
      return 204;
    };
    expect((await service.send('DELETE', url, undefined, service.otherKey)).status).toBe(404);
    expect((await service.send('DELETE', url, undefined, await service.keyWith(['sessions:read']))).status).toBe(403);
    expect(await erase()).toBe(204);
    expect(await erase()).toBe(204);
    // A process that crashed notes its recordings when it starts again.
    writeFileSync(path, canary);
    service.sessions.recording(sessionId, { path, durationMs: 1, bytes: 1 });
    await expect.poll(() => filesContaining(service.dataDir, canary)).toEqual([]);

    const { sessions, ...others } = Object.fromEntries(
      await Promise.all(
        (
          [
            'sessions',
            'session_messages',
            'session_turns',
            'session_tool_calls',
            'session_incidents',
            'session_events',
            'recordings',
          ] as const
        ).map(async (table) => [table, JSON.stringify(await service.store.db.selectFrom(table).selectAll().execute())]),
      ),
    ) as Record<string, string>;
    for (const [table, rows] of [...Object.entries(others), ['sessions', sessions!] as const])
      expect(rows, table).not.toContain(canary);
    expect((await service.send('GET', url)).body).toMatchObject({
      id: sessionId,
      startTime: before.startTime,
      endTime: before.endTime,
      end_reason: 'stopped_by_api',
      end_message: null,
      clientLabel: null,
      clientMetadata: null,
      personaConfig: {
        avatarVersion: 'cara-4',
        ttsProvider: before.personaConfig.ttsProvider,
        llmConfig: before.personaConfig.llmConfig,
      },
      toolCalls: [{ toolName: 'book', arguments: null, result: null }],
    });
    expect((await service.send('GET', `${url}/analytics?includeMessages=true`)).body).toMatchObject({
      turns: [{ firstAudioLatencySeconds: 1.05 }],
    });
    for (const part of ['transcript', 'recording', 'log'])
      expect((await service.send('GET', `${url}/${part}`)).status, part).toBe(404);
  });

  /**
   * A data folder was restored from a backup beside a newer database: its recordings of sessions that had expired were noted
   * again at the start, and never deleted, because retention looks at each session once.
   */
  it('deletes the recording of an expired session that a start finds', async () => {
    const { sessionId } = await start();
    service.engine.end(sessionId, 9000);
    await service.sessions.flush();
    const now = () => service.clock.now + 31 * 86_400_000;
    await deleteExpired({
      store: service.store,
      dataDir: service.dataDir,
      blobs: service.blobs,
      retentionDays: 30,
      now,
    });
    const path = join(service.dataDir, 'recordings', `${sessionId}.mp4`);
    writeFileSync(path, 'x');
    service.sessions.recording(sessionId, { path, durationMs: 1, bytes: 1 });
    await expect.poll(() => existsSync(path)).toBe(false);
    expect((await service.send('GET', `/v1/sessions/${sessionId}/recording`)).status).toBe(404);
  });
});

function filesContaining(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile() && readFileSync(path).includes(text));
}
