import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnBothDatabases } from '../testing/stores.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { STOCK } from '../testing/stock.ts';

describeOnBothDatabases('the service', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
  });
  afterAll(async () => service.close());

  it('is alive and ready', async () => {
    expect((await service.send('GET', '/healthz', undefined, null)).body).toEqual({ status: 'ok' });
    expect((await service.send('GET', '/readyz', undefined, null)).body).toMatchObject({
      status: 'ready',
      database: 'ok',
    });
  });

  it('takes a new user from a persona to a session', async () => {
    const persona = await service.send('POST', '/v1/personas', {
      name: 'Guide',
      avatarId: STOCK.avatar,
      voiceId: STOCK.voice,
      systemPrompt: 'Be kind.',
    });
    expect(persona.status, persona.text).toBe(201);
    const token = await service.send('POST', '/v1/auth/session-token', {
      personaConfig: { personaId: persona.body.id },
    });
    expect(token.status, token.text).toBe(200);
    const started = await service.send('POST', '/v1/engine/session', {}, token.body.sessionToken);
    expect(started.status, started.text).toBe(200);
    expect(service.engine.isLive(started.body.sessionId)).toBe(true);
    const session = await service.send('GET', `/v1/sessions/${started.body.sessionId}`);
    expect(session.body).toMatchObject({ personaId: persona.body.id, endTime: null, toolCalls: [] });
  });
});
