import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../testing/service.ts';
import { describeOnBothDatabases } from '../../testing/stores.ts';
import { sessionRequests } from './testing/session-requests.ts';

describeOnBothDatabases('sessions', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
  });
  afterAll(async () => service.close());
  const { persona, start } = sessionRequests(() => service);

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
    const path = join(service.dataDir, 'recordings', `${sessionId}.mp4`);
    mkdirSync(join(service.dataDir, 'recordings'), { recursive: true });
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
});
